//! The home folder as `~`.
//!
//! Promises that only whole path components are replaced, and only where the folder is a person's: what a caller calls
//! its home cannot make a system folder look harmless.

/// Where the homes of people are.
const PARENTS: [&str; 6] = ["/home", "/Users", "/root", "/var/home", "/usr/home", "/export/home"];

/// The text with the home folder written as `~`.
pub(super) fn fold(text: &str, home: Option<&str>) -> String {
    let Some(home) = home.map(|home| home.trim_end_matches('/')).filter(|home| is_personal(home)) else {
        return text.to_owned();
    };
    let mut folded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(home) {
        folded.push_str(before);
        // What was folded away ends in the home's last character, never in one that a path would go on from.
        let starts = folded.chars().next_back().is_none_or(|last| !continues_path(last));
        let ends = after.chars().next().is_none_or(|next| next == '/' || !continues_path(next));
        folded.push_str(if starts && ends { "~" } else { home });
        rest = after;
    }
    folded.push_str(rest);
    folded
}

/// Whether the path goes on beyond this character.
fn continues_path(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | '~' | '/' | '+' | '@' | '%')
}

fn is_personal(home: &str) -> bool {
    let plain = !home.chars().any(|character| character.is_control() || character.is_whitespace());
    let dotted = home.split('/').any(|part| part == "." || part == "..");
    let below = |parent: &&str| {
        home.strip_prefix(*parent)
            .and_then(|rest| rest.strip_prefix('/'))
            .is_some_and(|rest| !rest.is_empty())
    };
    plain && !dotted && (home == "/root" || PARENTS.iter().any(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_path_that_starts_with_the_home_is_folded() {
        for (text, folded) in [
            ("ls /home/me", "ls ~"),
            ("rm -rf /home/me/x /home/me", "rm -rf ~/x ~"),
            ("ls /home/meadow/x", "ls /home/meadow/x"),
            ("ls /mnt/home/me/x", "ls /mnt/home/me/x"),
            ("ls /home/me.old", "ls /home/me.old"),
            ("cp --to=/home/me/a '/home/me/b'", "cp --to=~/a '~/b'"),
            ("/home/me/home/me", "~/home/me"),
            ("/home/me:/home/me", "~:~"),
        ] {
            assert_eq!(fold(text, Some("/home/me")), folded);
            assert_eq!(fold(text, Some("/home/me/")), folded);
            assert_eq!(fold(text, None), text);
        }
    }

    #[test]
    fn a_home_that_is_no_persons_is_not_folded() {
        for home in ["", "/", "/etc", "/usr/bin", "/home", "/home/", "/home/..", "relative", "/home/a b"] {
            let text = format!("rm -rf {home}/x /etc/passwd");
            assert_eq!(fold(&text, Some(home)), text, "{home}");
        }
        assert_eq!(fold("ls /root/x", Some("/root")), "ls ~/x");
    }
}
