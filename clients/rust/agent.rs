//! An agent's loop with a gate in it, whose model is a list of commands: nothing that it wants runs before the gate approves.
//!
//! ```sh
//! haltgate run -- cargo run --example agent
//! ```

use haltgate::client::{Address, Client, Error, Session};
use std::process::{Command, ExitCode};

/// What a model would be: it is told what came of its last command, and names the next one.
struct Model(std::vec::IntoIter<&'static str>);

impl Model {
    fn next(&mut self, result: &str) -> Option<&'static str> {
        println!("model was told: {result}");
        self.0.next()
    }
}

async fn run(session: &Session, mut model: Model) -> Result<(), Box<dyn std::error::Error>> {
    let mut result = "begin".to_owned();
    while let Some(command) = model.next(&result) {
        let decision = session.decide_shell(command).run_id("turn-1").await?;
        result = if decision.approved() {
            let output = Command::new("bash").args(["-c", command]).output()?;
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        } else {
            decision.message().to_owned()
        };
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let script = vec!["echo hello", "rm -rf /", "cat ~/.ssh/id_ed25519", "echo never"];
    let client = Client::connect(&Address::from_environment()?).await?;
    let session = client.session("example");
    match run(&session, Model(script.into_iter())).await {
        Ok(()) => return Ok(ExitCode::SUCCESS),
        // Not approved: the run ends here, and the model gets nothing.
        Err(error) => match error.downcast_ref() {
            Some(Error::AttackHalted(_)) => println!("the run was halted"),
            Some(Error::Unattended(_)) => println!("nobody was there to ask"),
            _ => println!("no decision: {error}"),
        },
    }
    Ok(ExitCode::FAILURE)
}
