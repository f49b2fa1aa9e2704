//! The closed words of the knowledge base: what a program does, to which objects, and which rules are written in Rust.
//!
//! Promises that every word has one spelling, and that a word nobody knows is no word. Knows nothing of programs.

/// A closed vocabulary with one spelling per member.
macro_rules! closed {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum $name {
            $($(#[$member_doc])* $member,)+
        }

        impl $name {
            /// The member of that exact word.
            pub(crate) fn parse(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$member),)+
                    _ => None,
                }
            }

            /// Its word.
            #[cfg(test)]
            pub(crate) fn as_str(self) -> &'static str {
                match self {
                    $(Self::$member => $word,)+
                }
            }
        }
    };
}

closed! {
    /// What a program does, mildest families first.
    Verb {
        /// Changes and shows nothing.
        Nothing = "nothing",
        /// Shows its arguments.
        Prints = "prints",
        /// Shows names, sizes and attributes of objects.
        Lists = "lists",
        /// Shows or uses the contents of objects.
        Reads = "reads",
        /// Shows the state of what it is configured for.
        Inspects = "inspects",
        /// Builds, tests, lints or formats the project.
        Builds = "builds",
        /// Installs exactly what a lock file declares.
        Restores = "restores",
        /// Records work in version control.
        Records = "records",
        /// Sends commits to the configured remote without force.
        Pushes = "pushes",
        /// Runs a command that stands in its arguments and is judged by itself.
        Wraps = "wraps",
        /// Works in another folder: every path and every effect on the project is meant there.
        Enters = "enters",
        /// Hands options or settings on to another program, which may run or load what they name.
        Hands = "hands",
        /// Opens a port, to everybody unless its words bind it to this machine.
        Listens = "listens",
        /// Makes objects.
        Creates = "creates",
        /// Changes what is in objects.
        Writes = "writes",
        /// Takes objects away from where they are.
        Moves = "moves",
        /// Removes objects.
        Deletes = "deletes",
        /// Changes owner or permissions of objects.
        Modes = "modes",
        /// Loses work or data that is only here.
        Discards = "discards",
        /// Adds software that no lock file declares.
        Installs = "installs",
        /// Shows what may hold secrets beside other things.
        Reveals = "reveals",
        /// Loads from a host or a registry.
        Fetches = "fetches",
        /// Sends data to a host.
        Sends = "sends",
        /// Runs code that cannot be seen.
        Runs = "runs",
        /// Ends what can be started again.
        Stops = "stops",
        /// Changes settings or state that can be changed back.
        Alters = "alters",
        /// Changes where later fetches or pushes go, or what later commands run.
        Reroutes = "reroutes",
        /// Runs with the rights of another user.
        Raises = "raises",
        /// Loses what only a backup or somebody else can give back.
        Wipes = "wipes",
        /// Makes public, or replaces for others, what cannot be recalled.
        Publishes = "publishes",
        /// Shows, copies or sends a credential for its own sake.
        Exposes = "exposes",
        /// Gives rights, or weakens the protection of a system.
        Escalates = "escalates",
        /// Arranges for something to run later.
        Persists = "persists",
        /// Hides what it does.
        Obscures = "obscures",
        /// What it does cannot be told from the words.
        Unknown = "unknown",
    }
}

closed! {
    /// Which objects an effect has.
    Objects {
        /// All operands behind the subcommand.
        Operands = "operands",
        /// The first operand.
        First = "first",
        /// The second operand.
        Second = "second",
        /// The last operand.
        Last = "last",
        /// All operands but the first.
        Rest = "rest",
        /// All operands but the last.
        Init = "init",
        /// The value of the option whose line it is.
        Value = "value",
        /// The working folder.
        Here = "here",
    }
}

closed! {
    /// The rules for programs that have a language of their own.
    RuleName {
        /// `find`: an expression.
        Find = "find",
        /// `fd`: commands behind options.
        Fd = "fd",
        /// `sed`: a script.
        Sed = "sed",
        /// `awk`: a program.
        Awk = "awk",
        /// `tar`: old-style options, and places by mode.
        Tar = "tar",
        /// `xargs`: operands from its input.
        Xargs = "xargs",
        /// `parallel`: operands from its input and its arguments.
        Parallel = "parallel",
        /// `dd`: operands with names.
        Dd = "dd",
        /// `chmod` and its like: the mode decides.
        Permissions = "permissions",
        /// `git -c NAME=VALUE` and `git config`.
        GitSetting = "git-setting",
        /// `git checkout`: branches or files.
        GitCheckout = "git-checkout",
        /// `env` and `export`: variables, and a command behind them.
        Environment = "environment",
        /// An interpreter: code, a file or a module.
        Interpreter = "interpreter",
        /// A shell.
        Shell = "shell",
        /// A client of a database that speaks SQL.
        Sql = "sql",
        /// A client of Redis.
        Redis = "redis",
        /// A client of MongoDB.
        Mongo = "mongo",
        /// `curl`: methods, bodies and files.
        Curl = "curl",
        /// `wget`: what it fetches and where to.
        Wget = "wget",
        /// `make`: targets and variables.
        Make = "make",
    }
}

/// What an effect is: a verb, or a rule that finds out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// A verb.
    Verb(Verb),
    /// A rule.
    Rule(RuleName),
}

impl Action {
    /// Whether what an option brings happens although another option says that nothing is to be done: code that is run for
    /// it, another target, a secret that is shown.
    pub(crate) fn happens_anyway(self) -> bool {
        match self {
            Self::Rule(_)
            | Self::Verb(
                Verb::Runs
                | Verb::Reroutes
                | Verb::Raises
                | Verb::Exposes
                | Verb::Escalates
                | Verb::Persists
                | Verb::Obscures,
            ) => true,
            Self::Verb(
                Verb::Nothing
                | Verb::Prints
                | Verb::Lists
                | Verb::Reads
                | Verb::Inspects
                | Verb::Builds
                | Verb::Restores
                | Verb::Records
                | Verb::Pushes
                | Verb::Wraps
                | Verb::Enters
                | Verb::Hands
                | Verb::Listens
                | Verb::Creates
                | Verb::Writes
                | Verb::Moves
                | Verb::Deletes
                | Verb::Modes
                | Verb::Discards
                | Verb::Installs
                | Verb::Reveals
                | Verb::Fetches
                | Verb::Sends
                | Verb::Stops
                | Verb::Alters
                | Verb::Wipes
                | Verb::Publishes
                | Verb::Unknown,
            ) => false,
        }
    }
}

/// One effect of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Effect {
    /// What it is.
    pub(crate) action: Action,
    /// Its objects; `None` where it has none, or only the project.
    pub(crate) objects: Option<Objects>,
    /// A few plain words for the reason.
    pub(crate) note: Option<&'static str>,
}
