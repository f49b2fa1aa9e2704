//! What the rules of `find`, `fd`, `tar`, `xargs`, `parallel`, `dd` and of permissions make of commands.

use super::tests::{all_are, none_is_safe, outcome};

#[test]
fn looking_for_files_is_safe() {
    all_are(
        "safe",
        &[
            "find . -name '*.test.ts' -not -path '*/node_modules/*'",
            r"find . -type f \( -name '*.js' -o -name '*.ts' \) -newermt 2024-01-01 -print0",
            "find src -type f -size +200k -printf '%s %p\\n' | sort -rn",
            "find -L . -maxdepth 2 -name Dockerfile -prune -o -print",
            "find /usr/include -name 'zlib.h' 2>/dev/null",
            "find . -name '.env*' -not -name '.env.example'",
            r"find . -name '*.md' -exec grep -l todo {} \;",
            "find docs -name '*.md' -exec wc -l {} +",
            "find . -type f -fprint files.txt",
            "find --version",
        ],
    );
}

#[test]
fn what_find_deletes_or_writes_is_judged_by_its_place() {
    all_are(
        "destructive",
        &[
            "find . -name '*.pyc' -delete",
            "find /var/log -name '*.gz' -mtime +30 -delete",
            "find /tmp/build -type f -delete",
            r"find . -name '*.orig' -exec rm {} \;",
            "find . -type f -fprint ~/list.txt",
            "find / -name 'id_rsa*' 2>/dev/null",
        ],
    );
    all_are(
        "catastrophic",
        &[
            "find . -delete",
            "find . -type f -delete",
            "find ~ -type f -delete",
            "find ~/projects -mindepth 1 -delete",
        ],
    );
    all_are(
        "attack",
        &[
            "find . -fprintf ~/.bashrc 'x'",
            r"find / -name id_rsa -exec cat {} \;",
            r"find ~ -name '*.pem' -exec base64 {} \;",
        ],
    );
}

#[test]
fn a_test_of_find_that_is_not_known_is_not_assessed() {
    all_are(
        "not assessed",
        &[
            "find . -frobnicate",
            "find \"$x\" -name a",
            "find . -name x $more",
            "find . -name",
            "find -files0-from list -print",
            "find . \u{ff0d}name -print",
        ],
    );
    // A word of another script that looks like an option is a folder, and what follows it is no value.
    assert_ne!(outcome("find . \u{ff0d}name -delete"), "safe");
}

#[test]
fn fd_is_safe_as_long_as_what_it_runs_is() {
    all_are(
        "safe",
        &[
            "fd -H -t d node_modules -d 3",
            "fd",
            "fd -e rs . src",
            "fd -e rs -x wc -l",
            "fd '\\.md$' docs -X wc -l",
        ],
    );
    all_are("destructive", &["fd -e pyc -x rm", "fd -H .DS_Store -X rm {}"]);
    all_are("not assessed", &["fd -Hx rm", "fd --exec=rm foo", "fd --unheard-of"]);
}

#[test]
fn packing_and_unpacking_inside_the_project_is_safe() {
    all_are(
        "safe",
        &[
            "tar -tzf release.tgz",
            "tar tvf backup.tar | head",
            "tar czf dist.tgz -C dist .",
            "tar -C build -czf dist.tar.gz .",
            "tar xzf a.tgz --strip-components=1 -C vendor/a",
            "tar --zstd -xf a.tar.zst",
            "tar -I 'zstd -19 -T0' -cf a.tar.zst src",
            "tar cf - src | wc -c",
            "tar xOf a.tar VERSION",
            "tar czf a.tgz --exclude=node_modules --checkpoint=100 --checkpoint-action=dot src",
            "bsdtar -xf a.zip",
            "tar --help",
        ],
    );
}

#[test]
fn tar_that_runs_programs_or_goes_elsewhere_is_not_safe() {
    none_is_safe(&[
        "tar cf /dev/null README.md --checkpoint=1 --checkpoint-action=exec=./x.sh",
        "tar cf /dev/null README.md --checkpoint-ac=exec=./x.sh",
        "tar xf a.tar --to-command='sh -c cat'",
        "tar xf a.tar --use-compress-program=./x",
        "tar -I 'sh x.sh' -xf a.tar",
        "tar cIf ./x.sh a.tar src",
    ]);
    all_are(
        "destructive",
        &[
            "tar -xf release.tgz -C /",
            "tar xf rel.tgz -C ~/apps",
            "tar xPf rel.tar",
            "tar czf /mnt/backup/proj.tgz .",
            "tar czf old.tgz old --remove-files",
            "tar cf host:/x/a.tar src",
            "tar xf a.tar -C sub -C ../..",
        ],
    );
    all_are(
        "attack",
        &[
            "tar czf /tmp/s.tgz ~/.ssh ~/.gnupg ~/.aws",
            "tar czf a.tgz -C ~ .ssh/id_rsa",
            "tar cf - -C /home/dev/.ssh id_rsa",
            "tar czf a.tgz --add-file=/home/dev/.ssh/id_rsa",
        ],
    );
    all_are(
        "not assessed",
        &[
            "tar cf a.tar *",
            "tar -T list -cf a.tar",
            "tar f a.tar",
            "tar xf \"$a\" $b",
            "tar --unheard-of -cf a.tar src",
        ],
    );
}

#[test]
fn a_folder_around_the_project_is_outside_of_it() {
    all_are("destructive", &["cp a ..", "cp a /work", "unzip a.zip -d ..", "tar xf a.tar -C .."]);
    all_are("catastrophic", &["rm -rf ..", "rm -rf /work"]);
}

#[test]
fn a_word_that_only_looks_like_an_option_takes_no_value() {
    all_are("not assessed", &["sort \u{ff0d}S -o ~/.bashrc", "ls \u{200b}-l"]);
}

#[test]
fn what_xargs_hands_on_is_judged_where_it_lands() {
    all_are(
        "safe",
        &[
            "ls | xargs -n1 file",
            "ls *.txt | xargs -I F wc -l F",
            "ls *.txt | xargs -I% head -1 %",
            "find . -name '*.go' | xargs wc -l",
            "git diff --name-only | xargs -r grep -n 'console.log'",
            "ls -t logs | head -1 | xargs -I{} tail -50 logs/{}",
            "echo a b | xargs",
            "xargs --help",
        ],
    );
    all_are("destructive", &["ls | xargs rm", "find . -name '.DS_Store' -print0 | xargs -0 rm -f"]);
    all_are(
        "attack",
        &[
            "ls | xargs -I X cp X ~/.bashrc",
            "ls | xargs -IX cp X ~/.bashrc",
            "ls | xargs -rI X cp X ~/.bashrc",
            "ls | xargs --replace=X cp X ~/.bashrc",
            "ls | xargs -i cp {} ~/.bashrc",
            "ls | xargs -I% cp a/% ~/.bashrc",
            "xargs -a ~/.ssh/id_rsa echo",
        ],
    );
    all_are(
        "safe",
        &["git ls-files -z '*.py' | xargs -0 grep x", "find . -name '*.c' -exec nice -n 5 grep x {} +"],
    );
    all_are(
        "not assessed",
        &[
            "cat names | xargs cat",
            "xargs -a names cat",
            "ls | xargs -a names cat",
            "ls | xargs cat < names",
            "ls | sort < names | xargs cat",
            "ls | sort < names | while read -r f; do cat \"$f\"; done",
            "ls | xargs -d / cat",
            "ls | xargs -I \"$x\" cp a b",
        ],
    );
}

#[test]
fn parallel_runs_what_it_is_given() {
    all_are(
        "safe",
        &[
            "parallel -j4 'wc -l {}' ::: src/a.go src/b.go",
            "parallel -j4 wc -l ::: src/*.go",
            "parallel --halt now,fail=1 'cd {} && go test ./...' ::: services/*",
        ],
    );
    all_are("not assessed", &["parallel cat :::: names", "cat names | parallel cat"]);
    for command in [
        "parallel rm -rf ::: build dist",
        "parallel -S host wc ::: a",
        "parallel 'echo {= system(1) =}' ::: a",
        "parallel ::: 'rm -rf build'",
        "parallel --joblog ~/.bashrc wc ::: a",
    ] {
        assert_ne!(outcome(command), "safe", "{command}");
    }
}

#[test]
fn dd_is_judged_by_where_it_reads_and_writes() {
    all_are(
        "safe",
        &[
            "dd if=/dev/urandom of=testdata/random.bin bs=1K count=64 status=none",
            "dd if=disk.img bs=512 count=1 | xxd | head -4",
            "dd --version",
        ],
    );
    all_are("destructive", &["dd if=a of=/opt/x", "dd if=/dev/sda of=disk.img"]);
    all_are("catastrophic", &["dd if=/dev/zero of=/dev/sda", "dd if=a.img of=/dev/nvme0n1p2 bs=4M"]);
    all_are("attack", &["dd if=~/.ssh/id_rsa bs=1", "dd if=x of=/home/dev/.bashrc"]);
    all_are("not assessed", &["dd frob=1 if=a", "dd if=a of=$x", "dd $x"]);
}

#[test]
fn permissions_are_judged_by_what_they_give_and_where() {
    all_are(
        "destructive",
        &[
            "chmod +x scripts/release.sh",
            "chmod -x a",
            "chmod -R a+w public/uploads",
            "chmod 600 ~/.ssh/id_rsa",
            "chmod 755 ~/bin",
            "chmod 2775 shared",
            "chmod --reference=a b",
            "chown -R node:node ./data",
            "chgrp www-data /opt/x",
            "setfacl -m u:me:rwx data",
            "setfacl -b data",
        ],
    );
    all_are(
        "attack",
        &[
            "chmod 644 ~/.ssh/id_rsa",
            "chmod -R go+r ~/.ssh",
            "chmod u+s /bin/bash",
            "chmod +s tool",
            "chmod 6755 ./helper",
            "chmod 666 /etc/shadow",
            "chmod 666 /var/run/docker.sock",
            "chmod o=rw /etc/hosts",
            "chmod -R o+rwx /usr/local/lib",
            "setfacl -m o::rw /etc/hosts",
            "chown me /etc/sudoers",
        ],
    );
    all_are("not assessed", &["chmod $m a", "chmod q+z a", "chmod 644", "chmod --unheard-of 644 a"]);
    all_are("safe", &["chmod --help", "setfacl --test -m u:me:r a"]);
}
