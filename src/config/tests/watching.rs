//! What is reported while the files change.

use super::super::{Loaded, Problems, load, watch};
use super::in_folder;
use crate::gate::Rung;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::tempdir;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

type Reports = mpsc::UnboundedReceiver<Result<Loaded, Problems>>;

const PERIOD: Duration = Duration::from_millis(15);

fn start(folder: &Path) -> (Reports, JoinHandle<()>) {
    let source = in_folder(folder);
    let loaded = load(&source).unwrap();
    let (sender, reports) = mpsc::unbounded_channel();
    let task = tokio::spawn(async move {
        watch(source, &loaded, PERIOD, |report| drop(sender.send(report))).await;
    });
    (reports, task)
}

async fn next(reports: &mut Reports) -> Result<Rung, String> {
    let report = timeout(Duration::from_secs(10), reports.recv()).await.unwrap().unwrap();
    report
        .map(|loaded| loaded.configuration.posture("any", None).rung)
        .map_err(|problems| problems.to_string())
}

async fn is_quiet(reports: &mut Reports) -> bool {
    timeout(PERIOD * 20, reports.recv()).await.is_err()
}

#[tokio::test]
async fn good_and_bad_changes_of_any_file_in_the_chain_are_reported_once_each() {
    let folder = tempdir().unwrap();
    let (file, base) = (folder.path().join("haltgate.jsonc"), folder.path().join("base.jsonc"));
    fs::write(&base, r#"{"approvals": "manual"}"#).unwrap();
    fs::write(&file, r#"{"extends": "base.jsonc"}"#).unwrap();
    let (mut reports, task) = start(folder.path());
    assert!(is_quiet(&mut reports).await, "nothing changed");
    fs::write(&base, r#"{"approvals": "auto"}"#).unwrap();
    assert_eq!(next(&mut reports).await, Ok(Rung::Auto));
    fs::write(&base, r#"{"approvals": "aut"}"#).unwrap();
    assert!(next(&mut reports).await.unwrap_err().contains("did you mean"));
    assert!(is_quiet(&mut reports).await, "a bad change is reported once");
    // The repair may be in another file than the one that was named last.
    fs::write(&file, r#"{"approvals": "write"}"#).unwrap();
    assert_eq!(next(&mut reports).await, Ok(Rung::Write));
    task.abort();
}

#[tokio::test]
async fn a_file_that_vanishes_or_is_emptied_keeps_the_policy_and_its_return_is_reported() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("haltgate.jsonc");
    fs::write(&file, r#"{"approvals": "manual"}"#).unwrap();
    let (mut reports, task) = start(folder.path());
    fs::remove_file(&file).unwrap();
    assert!(next(&mut reports).await.unwrap_err().contains("is gone"));
    fs::write(&file, "").unwrap();
    assert!(next(&mut reports).await.unwrap_err().contains("is empty"));
    fs::write(&file, r#"{"approvals": "manual"}"#).unwrap();
    assert_eq!(next(&mut reports).await, Ok(Rung::Manual));
    task.abort();
}

#[tokio::test]
async fn a_default_file_that_appears_is_taken_up() {
    let folder = tempdir().unwrap();
    let (mut reports, task) = start(folder.path());
    fs::write(folder.path().join("haltgate.jsonc"), r#"{"approvals": "bypass"}"#).unwrap();
    assert_eq!(next(&mut reports).await, Ok(Rung::Bypass));
    task.abort();
}

#[tokio::test]
async fn a_link_that_is_swapped_is_seen_even_when_times_and_sizes_are_equal() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, rung) in [("one", "manual"), ("two", "bypass")] {
        fs::create_dir(path(name)).unwrap();
        fs::write(path(name).join("haltgate.jsonc"), format!(r#"{{"approvals": "{rung}"}}"#)).unwrap();
    }
    std::os::unix::fs::symlink("one", path("current")).unwrap();
    std::os::unix::fs::symlink("current/haltgate.jsonc", path("haltgate.jsonc")).unwrap();
    let (mut reports, task) = start(folder.path());
    std::os::unix::fs::symlink("two", path("next")).unwrap();
    fs::rename(path("next"), path("current")).unwrap();
    assert_eq!(next(&mut reports).await, Ok(Rung::Bypass));
    task.abort();
}
