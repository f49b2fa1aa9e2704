use super::*;
use crate::shell::word::{best_text, quoted};

/// What is behind the first word, as text: the words of the command, code in angle brackets, or the kind of answer.
fn behind(line: &str) -> String {
    let words: Vec<_> = line.split(' ').map(|word| quoted(&word.replace('_', " "))).collect();
    let mut answers = Vec::new();
    for wrapper in named(line.split(' ').next().unwrap()) {
        let text =
            |start: usize| words[start..].iter().map(|word| best_text(word).0).collect::<Vec<_>>().join(" ");
        let look = look_behind(wrapper, &words);
        let program = look.program.map(|program| match program {
            CodeWord::At(at) | CodeWord::Dynamic(at) => format!("{}: ", best_text(&words[at]).0),
            CodeWord::Text(text) => format!("{text}: "),
        });
        answers.push(match look.behind {
            Behind::Other => continue,
            Behind::Nothing => "nothing".to_owned(),
            Behind::Shell => "shell".to_owned(),
            Behind::Unknown { at } => format!("unknown {}", best_text(&words[at]).0),
            Behind::Joined { start } => format!("joined {}", text(start)),
            Behind::Split { value, rest } => format!("split {value:?} {rest}"),
            Behind::Argv { start, code } => {
                let code = code.iter().map(|code| match code {
                    CodeWord::At(at) => format!("<{}>", best_text(&words[*at]).0),
                    CodeWord::Text(text) => format!("<{text}>"),
                    CodeWord::Dynamic(_) => "<dynamic>".to_owned(),
                });
                let shown = code.chain(start.map(text)).collect::<Vec<_>>().join(" ");
                format!("{}{shown}", program.unwrap_or_default()).trim_end().to_owned()
            }
        });
    }
    answers.join(" | ")
}

#[test]
fn the_command_is_found_behind_each_wrappers_own_options() {
    for (line, expected) in [
        ("sudo -u root -H rm -rf /", "rm -rf /"),
        ("sudo -Hu root rm x", "rm x"),
        ("sudo -u rm rm x", "rm x"),
        ("sudo --user=root -- rm x", "rm x"),
        ("sudo --user root A=1 rm x", "rm x"),
        ("sudo -C 3 -D /tmp -T 5 rm x", "rm x"),
        ("sudo -l rm", "nothing"),
        ("sudo -s", "shell"),
        ("sudo --weird rm x", "unknown --weird"),
        ("doas -u www rm x", "rm x"),
        ("env A=1 B=2 rm x", "rm x"),
        ("env -u HOME -C /tmp A=1 rm x", "rm x"),
        ("env - rm x", "rm x"),
        ("env A=1 -i rm x", "unknown -i"),
        ("command -p rm x", "rm x"),
        ("command -v rm", "nothing"),
        ("exec -a tidy rm x", "rm x"),
        ("nice -n 10 rm x", "rm x"),
        ("nice -10 rm x", "rm x"),
        ("nice --adj=5 rm x", "rm x"),
        ("ionice -c2 -n 7 rm x", "rm x"),
        ("timeout -k 5s 30 rm x", "rm x"),
        ("timeout --signal KILL --foreground 30 rm x", "rm x"),
        ("time -f %e rm x", "rm x"),
        ("stdbuf -oL -e 0 rm x", "rm x"),
        ("setsid -w rm x", "rm x"),
        ("xargs -n 1 -I{} rm {}", "rm {}"),
        ("xargs -0 -P4 -r rm", "rm"),
        ("parallel -j 4 rm ::: a b", "joined rm ::: a b"),
        ("ssh -p 22 host rm x", "joined rm x"),
        ("ssh host -p 22 rm x", "joined rm x"),
        ("ssh host", "shell"),
        ("su deploy -c rm_x", "<rm x>"),
        ("su -c rm_x deploy", "<rm x>"),
        ("su - deploy", "shell"),
        ("runuser -u www -- rm x", "rm x"),
        ("runuser -u www rm x", "rm x"),
        ("script -qec rm_x /dev/null", "<rm x> | unknown -qec"),
        ("flock -n /tmp/l rm x", "rm x"),
        ("flock /tmp/l -c rm_x", "<rm x>"),
        ("chroot --userspec=a:b /mnt rm x", "rm x"),
        ("unshare -r --mount rm x", "rm x"),
        ("nsenter -t 1 -m -p rm x", "rm x"),
        ("busybox rm x", "rm x"),
        ("taskset -c 0-3 rm x", "rm x"),
        ("chrt -r 5 rm x", "rm x"),
        ("numactl --membind=0 rm x", "rm x"),
        ("prlimit --nofile=10 rm x", "rm x"),
        ("systemd-run --user -p A=1 rm x", "rm x"),
        ("strace -f -e trace=open -o out rm x", "rm x"),
        ("ltrace -f -o out rm x", "rm x"),
        ("gdb --args rm x", "rm x"),
        ("gdb -q -ex run --args rm x", "rm x"),
        ("perf stat -e cycles -- rm x", "rm x"),
        ("perf list", ""),
        ("valgrind --leak-check=full rm x", "rm x"),
        ("proxychains4 -q -f c rm x", "rm x"),
        ("rlwrap -a rm x", "rm x"),
        ("faketime yesterday rm x", "rm x"),
        ("fakeroot -- rm x", "rm x"),
        ("daemonize -c /tmp rm x", "rm x"),
        ("dbus-run-session -- rm x", "rm x"),
        ("xvfb-run -a -s opt rm x", "rm x"),
        ("direnv exec . rm x", "rm x"),
        ("direnv allow", ""),
        ("dotenv -e .env -- rm x", "rm x"),
        ("npx -y rimraf x", "rimraf x"),
        ("npx -c rm_x", "<rm x>"),
        ("npm exec -- rimraf x", "rimraf x"),
        ("npm --prefix web exec rimraf x", "rimraf x"),
        ("npm test", ""),
        ("pnpm exec rimraf x", "rimraf x"),
        ("poetry run rm x", "rm x"),
        ("uv run --with a rm x", "rm x"),
        ("pipenv run rm x", "rm x"),
        ("bundle exec rm x", "rm x"),
        ("docker exec -it -u 0 web rm x", "rm x"),
        ("docker run --rm -v /:/host alpine rm x", "rm x"),
        ("docker compose exec -T web rm x", "rm x"),
        ("docker ps", ""),
        ("kubectl exec -it pod -n ns -- rm x", "rm x"),
        ("kubectl -n ns exec pod -- rm x", "rm x"),
        ("kubectl get pods", ""),
        ("watch -n 1 rm x", "joined rm x | rm x"),
        ("git submodule foreach rm x", "joined rm x"),
        ("git status", ""),
        ("rustup run nightly rm x", "rm x"),
        ("rustup run --install nightly rm x", "rm x"),
        ("volta run --node 18 rm x", "rm x"),
        ("fnm exec --using=18 rm x", "rm x"),
        ("mise exec node@20 -- rm x", "rm x"),
        ("mise x -- rm x", "rm x"),
        ("mise exec node@20 rm x", "unknown exec"),
        ("doppler run -p web -- rm x", "rm x"),
        ("doppler run --command=rm_x", "<rm x>"),
        ("aws-vault exec prod -- rm x", "rm x"),
        ("aws-vault exec prod rm x", "unknown exec"),
        ("sops exec-env f.yaml rm_x", "joined rm x"),
        ("nix develop -c rm x", "unknown -c"),
        ("stack exec --weird a rm x", "unknown --weird"),
        ("strace -A -o f rm x", "rm x"),
        ("chpst -u www rm x", "rm x"),
        ("setlock -n f rm x", "rm x"),
        ("run0 --background=44 rm x", "rm x"),
        ("sudo-rs --background rm x", "rm x"),
        ("capsh --user=www -- -c rm_x", "bash: -c rm x"),
        ("su www -- -c rm_x", "<rm x>"),
        ("parallel -U % rm %", "joined rm %"),
        ("watchexec -r -e rs rm x", "joined rm x"),
        ("uv run -w a -U rm x", "rm x"),
        ("pnpm -c exec rm_x", "unknown -c"),
        ("runcon -t a rm x", "x | rm x"),
        ("runcon a:b:c rm x", "rm x | a:b:c rm x"),
        ("bwrap --ro-bind / / --setenv A b rm x", "rm x"),
        ("proot -r d -w / rm x", "rm x"),
        ("tmux new -d -s a rm x", "joined rm x"),
        ("tmux run-shell -d 5 rm x", "joined rm x"),
        ("tmux send-keys -t a rm_x Enter", "<rm x> <Enter>"),
        ("perf record -c 1000 rm x", "rm x"),
        ("gdb -iex a -batch --args rm x", "rm x"),
        ("lldb -o run -- rm x", "rm x"),
        ("start-stop-daemon -S -x /bin/rm -- -r x", "/bin/rm: -r x"),
        ("start-stop-daemon --stop --name x", "nothing"),
        ("docker run --entrypoint rm alpine -r x", "rm: -r x"),
        ("docker run --entrypoint=rm alpine", "rm:"),
        ("git filter-branch --tree-filter rm_x HEAD", "<rm x>"),
        ("git difftool -x rm_x", "<rm x>"),
        ("ip -n a netns exec b rm x", "rm x"),
    ] {
        assert_eq!(behind(line), expected, "{line}");
    }
}

#[test]
fn the_words_that_env_splits_stand_in_place_of_the_option() {
    assert_eq!(behind("env -S rm_x y"), "split At(2) 3");
    assert_eq!(behind("env --split-string=rm_x y"), "split Text(\"rm x\") 2");
}

#[test]
fn a_long_row_of_options_costs_no_more_than_its_length() {
    let words: Vec<_> =
        std::iter::once("sudo").chain(std::iter::repeat_n("-n", 200_000)).map(quoted).collect();
    assert_eq!(look_behind(named("sudo")[0], &words).behind, Behind::Nothing);
}
