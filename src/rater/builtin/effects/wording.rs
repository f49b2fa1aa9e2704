//! The words for effects and places, as they stand in a reason.
//!
//! Promises one wording for every verb and every place. Knows nothing of outcomes.

use super::super::place::Place;
use crate::rater::knowledge::Verb;

/// The words for a verb, with an object behind them and without.
pub(super) fn words(verb: Verb) -> (&'static str, &'static str) {
    match verb {
        Verb::Nothing => ("does nothing to", "changes nothing"),
        Verb::Prints => ("shows", "shows its arguments"),
        Verb::Lists => ("looks at the names and sizes of", "looks at names and sizes"),
        Verb::Reads => ("reads", "reads what it is given"),
        Verb::Inspects => ("looks at", "looks at the state of what it is set up for"),
        Verb::Builds => ("builds or checks", "builds or checks the project"),
        Verb::Restores => ("installs what a lock file declares into", "installs what the lock file declares"),
        Verb::Records => ("records", "records work in version control"),
        Verb::Pushes => ("pushes", "pushes commits to the configured remote"),
        Verb::Wraps => ("runs another command on", "runs another command"),
        Verb::Enters => ("works in", "works in another folder"),
        Verb::Hands => (
            "hands on to another program, which may run what it names:",
            "hands options on to another program",
        ),
        Verb::Listens => ("opens a port to everybody:", "opens a port to everybody who reaches this machine"),
        Verb::Creates => ("makes", "makes files in the project"),
        Verb::Writes => ("writes to", "writes in the project"),
        Verb::Moves => ("moves", "moves files in the project"),
        Verb::Deletes => ("deletes", "deletes files"),
        Verb::Modes => ("changes the owner or permissions of", "changes owners or permissions"),
        Verb::Discards => ("discards", "discards work or data that is only here"),
        Verb::Installs => {
            ("installs software that no lock file declares:", "installs software that no lock file declares")
        }
        Verb::Reveals => ("shows what may be secret in", "shows what may be secret"),
        Verb::Fetches => ("fetches", "fetches from a host"),
        Verb::Sends => ("sends", "sends data to a host"),
        Verb::Runs => ("runs code that cannot be seen here:", "runs code that cannot be seen here"),
        Verb::Stops => ("stops", "stops something that runs"),
        Verb::Alters => ("changes settings or state:", "changes settings or state"),
        Verb::Reroutes => (
            "changes what later commands run or where they go:",
            "changes what later commands run or where they go",
        ),
        Verb::Raises => ("runs with the rights of another user:", "runs with the rights of another user"),
        Verb::Wipes => ("destroys for good", "destroys what only a backup or somebody else can give back"),
        Verb::Publishes => ("publishes for good", "publishes what cannot be recalled"),
        Verb::Exposes => ("lays open the credentials in", "lays open credentials"),
        Verb::Escalates => {
            ("gives rights or weakens protection:", "gives rights or weakens the protection of a system")
        }
        Verb::Persists => ("arranges for something to run later:", "arranges for something to run later"),
        Verb::Obscures => ("hides what is done:", "hides what is done"),
        Verb::Unknown => {
            ("does something that cannot be told to", "does something that its words do not tell")
        }
    }
}

/// What is special about a place, as it follows the name of the object.
pub(super) fn place_words(place: Place) -> &'static str {
    match place {
        Place::Stream => "",
        Place::Project => " in the working folder",
        Place::WholeProject => ", the whole working folder",
        Place::AroundProject => ", a folder around the working folder",
        Place::Repository => ", which belongs to the repository's own data",
        Place::Hook => ", which runs by itself when somebody works on the project",
        Place::Automation => ", which decides what builds, deploys or fetches for the project",
        Place::AgentSettings => ", the settings of an agent or an editor",
        Place::Temporary => " in a temporary folder",
        Place::Cache => " in a cache",
        Place::Settings => ", settings that decide what other programs run or where they go",
        Place::Home => " in the home folder",
        Place::Private => ", which a program keeps in the home folder for itself",
        Place::WholeHome => ", a whole home folder",
        Place::Later => ", which runs at start, at login or by a timer",
        Place::Rights => ", which decides who may do what",
        Place::History => ", which remembers what was done",
        Place::Log => ", a log of the system",
        Place::AllLogs => ", all logs of the system",
        Place::System | Place::Library => ", which belongs to the system",
        Place::WholeSystem => ", a whole folder of the system",
        Place::Disk => ", a disk",
        Place::Connection => ", a connection to another machine",
        Place::Data => ", the data of a server or a mounted disk",
        Place::Outside => " outside the working folder",
        Place::Unknown => ", and what that is will only be known when it runs",
    }
}
