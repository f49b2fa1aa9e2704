//! May this command run?

use haltgate::client::{Address, Client};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::connect(&Address::from_environment()?).await?;
    let decision = client.session("conversation-1").decide_shell("git status").await?;
    println!("{}", if decision.approved() { "run it" } else { decision.message() });
    Ok(())
}
