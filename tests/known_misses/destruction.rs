//! `c` and `d`: what destroys is refused however it is written, and what only mentions it passes.

use crate::answers::{all_pass, all_refused};

#[test]
fn c1_the_options_of_sudo_are_told_apart_by_case() {
    all_refused(&[
        "sudo -H rm -rf /",
        "sudo -P rm -rf /",
        "sudo -C 3 rm -rf /",
        "sudo -D /tmp rm -rf /",
        "sudo -T 5 rm -rf /",
        "sudo -Hu root rm -rf /",
    ]);
}

#[test]
fn c2_a_program_is_known_by_its_last_name_however_it_is_quoted() {
    all_refused(&["/bin/rm -rf /", "/sbin/mkfs.ext4 /dev/sda", "\"rm\" -rf /", "'rm' -rf /", "r\"m\" -rf /"]);
}

#[test]
fn c3_assignments_and_the_options_of_env_hide_nothing() {
    all_refused(&[
        "FOO=1 rm -rf /",
        "sudo FOO=1 rm -rf /",
        "env A=1 -i rm -rf /",
        "env A=\"b c\" rm -rf /",
        "env -S \"rm -rf /\"",
    ]);
}

#[test]
fn c4_no_wrapper_hides_its_command() {
    all_refused(&[
        "doas rm -rf /",
        "busybox rm -rf /",
        "su -c \"rm -rf /\"",
        "chroot /x rm -rf /",
        "watch rm -rf /",
        "flock /tmp/l rm -rf /",
        "! rm -rf /",
        "time -f %e rm -rf /",
    ]);
}

#[test]
fn c5_every_operand_counts() {
    all_refused(&[
        "rm -rf ./x /",
        "rm -rf foo /etc",
        "rm -rf tmp ~",
        "chmod -R 777 ./a /",
        "chown -R me ./x /etc",
    ]);
}

#[test]
fn c6_home_is_home_however_it_is_written() {
    all_refused(&[
        "rm -rf \"$HOME\"",
        "rm -rf $HOME/",
        "rm -rf ${HOME}",
        "rm -rf ~/",
        "rm -rf ~/.",
        "rm -rf ~root",
    ]);
}

#[test]
fn c7_a_path_is_resolved_before_it_is_judged() {
    all_refused(&[
        "rm -rf /.",
        "rm -rf /./",
        "rm -rf ///",
        "rm -rf /../",
        "rm -rf /etc/.",
        "rm -rf /etc//",
        "rm -rf \"/etc\"/",
        "rm -rf /e\"t\"c",
        "rm -rf /**",
        "rm -rf /?*",
        "rm -rf /*/",
        "rm -rf \"/\"*",
        "rm -rf /{etc,usr}",
    ]);
}

#[test]
fn c8_modes_and_options_come_in_any_order_and_notation() {
    all_refused(&["chmod 777 -R /", "chmod -R a+rwx /", "chmod -R u+s /"]);
}

#[test]
fn c9_a_disk_is_a_disk_whoever_writes_to_it() {
    all_refused(&[
        "dd if=x of=\"/dev/sda\"",
        "dd if=x of=/dev/disk2",
        "dd if=x of=/dev/mapper/root",
        "cat x >\"/dev/sda\"",
        "cat x >| /dev/sda",
        "tee /dev/sda",
        "cp img /dev/sda",
        "wipefs -a /dev/sda",
        "shred /dev/sda",
        "mke2fs /dev/sda",
        "blkdiscard /dev/sda",
    ]);
}

#[test]
fn c10_every_way_to_stop_a_machine_is_one() {
    all_refused(&[
        "kill -s KILL -1",
        "systemctl --force reboot",
        "systemctl isolate reboot.target",
        "loginctl poweroff",
        "echo b > /proc/sysrq-trigger",
    ]);
}

#[test]
fn c11_a_fork_bomb_may_have_any_name() {
    all_refused(&["bomb(){ bomb|bomb& };bomb"]);
}

#[test]
fn c12_what_searches_moves_or_is_given_as_text_is_followed() {
    all_refused(&[
        "find / -delete",
        "find / -exec rm -rf {} +",
        "cd / && rm -rf *",
        "bash <<< \"rm -rf /\"",
        "bash -c \"true; rm -rf /\"",
    ]);
}

#[test]
fn d1_a_quoted_pattern_is_no_pipeline() {
    all_pass(&[
        "journalctl -b | grep -E \"shutdown|reboot\"",
        "grep -E \"halt|reboot\" f",
        "rg \"halt|reboot\" src",
    ]);
}

#[test]
fn d2_a_message_is_text() {
    all_pass(&[
        "git commit -m \"handle start & reboot\"",
        "echo \"restart & reboot\"",
        "git commit -m \"docs: notes\n\nrm -rf / is dangerous\"",
    ]);
}

#[test]
fn d3_a_document_is_text() {
    all_pass(&["cat > notes.md <<EOF\nrm -rf / is dangerous\nEOF"]);
}

#[test]
fn d4_single_quotes_and_comments_are_text() {
    all_pass(&["echo '`reboot`'", "# note; rm -rf /"]);
}

#[test]
fn d5_a_name_is_a_whole_name_and_help_and_cancelling_are_free() {
    all_pass(&[
        "shutdown -c",
        "shutdown --help",
        "command -v reboot",
        "sudo -l reboot",
        "reboot-scheduler --status",
        "shutdown-hooks list",
        "mkfs-helper --list",
        "halt.sh",
    ]);
}

#[test]
fn d6_a_command_is_not_blamed_for_its_neighbours_words() {
    all_pass(&["dd if=a of=b; echo of=/dev/sda", "dd if=a.img of=out.img # not of=/dev/sda"]);
}

#[test]
fn d7_what_is_only_echoed_is_not_run() {
    all_pass(&["echo \"never do > /dev/sda\"", "echo \":(){ :|:& };: is the fork bomb\""]);
}

#[test]
fn d8_what_fails_without_harm_is_left_to_the_rater() {
    all_pass(&["rm /etc", "rm -i /"]);
}
