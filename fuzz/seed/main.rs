//! Writes the first inputs of every fuzz target into `fuzz/corpus`, from the corpora of the tests.

use std::fs;
use std::path::Path;

use haltgate::proto::v1;
use prost::Message;
use serde_json::Value;

fn main() -> std::io::Result<()> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpora = fuzz.join("../tests/corpora");
    let read = |name: &str| -> std::io::Result<Value> { Ok(serde_json::from_str(&fs::read_to_string(corpora.join(name))?)?) };
    let mut commands: Vec<String> = Vec::new();
    let mut policies: Vec<String> = vec![fs::read_to_string(fuzz.join("../docs/haltgate.example.jsonc"))?];
    let realistic = read("realistic_commands.json")?;
    commands.extend(realistic.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
    for case in read("segments.json")?.as_array().into_iter().flatten() {
        commands.extend(case["command"].as_str().map(str::to_owned));
    }
    for case in read("bypass.json")?["cases"].as_array().into_iter().flatten() {
        commands.extend(case["call"]["shell"]["command"].as_str().map(str::to_owned));
        policies.push(serde_json::json!({ "approvals": case["approvals"] }).to_string());
    }
    for target in ["analysis", "policy_file", "contract"] {
        fs::create_dir_all(fuzz.join("corpus").join(target))?;
    }
    for (number, command) in commands.iter().enumerate() {
        fs::write(fuzz.join(format!("corpus/analysis/seed-{number}")), command)?;
        let shell = v1::ShellCall { command: command.clone(), cwd: "/srv".into(), home: "/home/u".into(), ..Default::default() };
        let call = v1::Call { kind: Some(v1::call::Kind::Shell(shell)) };
        let request = v1::DecideRequest { session_id: "s".into(), call: Some(call), ..Default::default() };
        fs::write(fuzz.join(format!("corpus/contract/seed-{number}")), request.encode_to_vec())?;
    }
    for (number, policy) in policies.iter().enumerate() {
        fs::write(fuzz.join(format!("corpus/policy_file/seed-{number}")), policy)?;
    }
    println!("{} commands and {} policies", commands.len(), policies.len());
    Ok(())
}
