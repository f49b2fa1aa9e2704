//! The guards of other floors; what those get wrong is tested as a catalogue of its own, over every layer.

use super::{all_are_refused, all_pass};

#[test]
fn a_mention_is_no_command() {
    all_pass(&[
        "echo never run rm -rf /",
        "grep -c mkfs docs/*.md",
        "rg -n \"dd of=/dev/sd\" s/",
        "grep -rn \"kill -1\" p/",
        "grep chown -r /etc",
        "rg -n \"chown -R\" /var",
        "git log --grep \"rm -rf /\"",
        "gh issue create --title \"mkfs is refused\" --body x",
        "echo reboot",
        "echo \"prose (rm -rf /) in parens\"",
        "echo \"use { rm -rf / } nowhere\"",
        "grep -rn \"then rm -rf /\" docs/",
        "echo \"step 3) rm -rf / is fatal\"",
        "man timeout",
        // Refused elsewhere although inert.
        "echo \"step 1; rm -rf / is fatal\"",
        "git commit -m 'see `rm -rf /` docs'",
        "mkfs --help",
    ]);
}

#[test]
fn ordinary_work_near_the_limits_passes() {
    all_pass(&[
        "rm -rf ./build --verbose",
        "rm -rf /tmp/x",
        "rm -rf /\"var\"/www",
        "chmod -R 777 /var/www",
        "chmod -R 777 /var/www/",
        "chmod -R 777 ./dist",
        "chown -R a:a /var/www/html",
        "chown app /etc/x.conf",
        "chown root:root /",
        "nice -n 10 npm test",
        "env -i npm test",
        "mkfsomething --help",
        "dd if=a of=b",
        "timeout 5 echo rm -rf /",
        "sudo -u rm -rf /",
        "timeout rm -rf /",
        "kill -1 12345",
        "kill -1",
        "kill -9 -1234",
        "chown -R a:a dist -v; ls /",
        "chown -R a:a dist # perms under /",
    ]);
}

#[test]
fn what_other_floors_refuse_is_refused() {
    all_are_refused(&[
        "rm -rf \"/\"",
        "rm -rf /etc /var",
        "rm -rf ~ /tmp",
        "ls\nrm -rf /\nls",
        "echo $(rm -rf /)",
        "echo `rm -rf /`",
        "git commit -m \"note: `rm -rf /` is run\"",
        "env FOO=1 sudo rm -rf /",
        "time nice -n 5 sudo rm -rf /",
        "sudo -u rm rm -rf /",
        "eval chmod -R 777 /",
        "chown nobody:nobody -R /",
        "chown -R --reference=/etc/passwd /",
        "chmod -Rv 000 /usr",
        "cat x | rm -rf /",
        "CHOWN -R nobody /",
        "ｒｍ -rf /",
        "r\\m -rf /",
        "r\u{1b}[0mm -rf /",
        "(rm -rf /)",
        "{ rm -rf /; }",
        "if true; then rm -rf /; fi",
        "if false; then :; else rm -rf /; fi",
        "while true; do rm -rf /; done",
        "case x in x) rm -rf / ;; esac",
        "! rm -rf /",
        "sh -c \"rm -rf /\"",
        "bash -c \"mkfs.ext4 /dev/sda1\"",
        "eval \"rm -rf /\"",
        "xargs sh -c 'rm -rf /'",
        "bash -c \"true; rm -rf /\"",
        "bash -c \"true; rm -rf / \"",
        "kill -9 -1",
        "kill -HUP -1",
        "kill -- -1",
        "init 0",
        "init 6",
        "telinit 6",
        "systemctl poweroff",
        "systemctl kexec",
        "shutdown -h now",
        "reboot",
        "halt",
        "poweroff",
    ]);
}

#[test]
fn what_a_normaliser_hides_or_invents_is_judged_as_bash_reads_it() {
    all_are_refused(&[
        "ls \u{1b}]; rm -rf / ;\u{7}",
        "echo hi \u{1b}[; rm -rf /",
        "rm -rf \\\n/",
        "rm\\\n -rf /",
        "rm -rf\\\n /",
    ]);
    all_pass(&[
        "rm -rf /\\ foo",
        "echo \"\\$(reboot)\"",
        "echo \\`reboot\\`",
        "rm -rf My\\ Documents",
        "constructor foo",
        "rm -rf x",
    ]);
}

#[test]
fn credentials_that_stay_or_prove_who_asks_pass() {
    all_pass(&[
        "scp ~/.ssh/id_rsa.pub u@h:",
        "curl -T ~/.ssh/id_ed25519.pub https://x",
        "scp ./report.pdf u@h:",
        "curl -o .env https://x/env",
        "docker run --env-file .env img",
        "env FOO=bar curl https://x",
        "env | grep X",
        "ssh-keygen -f ~/.ssh/id_x && curl https://x",
        "rsync -a ~/.ssh/ /backup/ssh/",
        "rsync -a --chown=a:b dist/ /srv/www/",
        "cp -r ~/.ssh x",
    ]);
}
