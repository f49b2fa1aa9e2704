//! Programs that work on other machines or copy between them.

use super::Takes::{At, Nothing, Silences, Unseen, Value};
use super::{Form, Program};
use crate::shell::network::style::Style::{
    Host, HostList, Mail, Name, Plain, Remote, Socat, SshSetting, Tunnel, Url, Words,
};

const SSH: &[(super::Takes, &str)] = &[
    (At(HostList), "-J"),
    (At(SshSetting), "-o"),
    (At(Tunnel), "-L -R"),
    (At(Host), "-W"),
    (Silences, "-V"),
    (Value, "-B -b -c -D -E -e -F -I -i -l -m -O -p -S -w -P"),
    // A query for what the program supports.
    (Value, "-Q"),
    (Nothing, "-1 -2 -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -v -X -x -Y -y"),
];

pub(super) static TABLE: &[Program] = &[
    Program {
        names: &["ssh", "slogin", "ssh-copy-id"],
        options: SSH,
        forms: &[Form { operands: &[Host, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["autossh"],
        options: SSH,
        // It has a port for its watch of its own behind `-M`, where ssh has a flag.
        forms: &[Form { options: &[(Value, "-M")], operands: &[Host, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["mosh", "et", "sshuttle"],
        options: &[
            (Value, "-p --port --predict -P --family --server --client -x --exclude"),
            (At(Words), "--ssh -e --ssh-cmd"),
            (At(Host), "-r --remote"),
        ],
        forms: &[Form { operands: &[Host, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["ssh-keyscan"],
        options: &[(Unseen, "-f"), (Value, "-p -T -t -O")],
        forms: &[Form { operands: &[HostList], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["scp", "pscp", "sshfs"],
        options: &[
            (At(HostList), "-J"),
            (At(SshSetting), "-o"),
            (At(Words), "-S"),
            (Value, "-c -D -F -i -l -P -X"),
            (Nothing, "-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v"),
        ],
        forms: &[Form { operands: &[Remote], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["sftp"],
        options: &[
            (At(HostList), "-J"),
            (At(SshSetting), "-o"),
            (At(Words), "-S"),
            (Value, "-B -b -c -D -F -i -l -P -R -s -X"),
        ],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["rsync"],
        options: &[
            (At(Words), "-e --rsh"),
            (At(Remote), "--files-from"),
            (
                Value,
                "--exclude --include --exclude-from --include-from --filter -f --password-file --port \
                    --address --log-file --log-file-format --out-format --partial-dir --backup-dir \
                    --suffix --compare-dest --copy-dest --link-dest --bwlimit --timeout --contimeout \
                    --max-size --min-size --max-delete --max-alloc --block-size -B --temp-dir -T \
                    --chmod --chown --usermap --groupmap --rsync-path -M --remote-option --info --debug \
                    --modify-window -@ --compress-level --compress-choice --zl --zc --checksum-choice \
                    --checksum-seed --skip-compress --write-batch --only-write-batch --read-batch \
                    --protocol --iconv --sockopts --stop-after --stop-at --early-input --outbuf \
                    --copy-as",
            ),
        ],
        forms: &[Form { operands: &[Remote], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["rclone"],
        options: &[
            (
                Value,
                "--config --transfers --checkers --exclude --include --filter --filter-from --log-file \
                    --log-level --bwlimit --max-age --min-age --max-size --backup-dir --s3-region",
            ),
            (At(Url), "--s3-endpoint --webdav-url --http-url --sftp-host --ftp-host"),
        ],
        forms: &[Form {
            paths: &[
                "copy",
                "sync",
                "move",
                "copyto",
                "moveto",
                "copyurl",
                "bisync",
                "ls",
                "lsd",
                "lsl",
                "lsf",
                "lsjson",
                "cat",
                "rcat",
                "mount",
                "check",
                "size",
                "tree",
                "delete",
                "deletefile",
                "purge",
                "mkdir",
                "rmdir",
                "link",
                "serve",
            ],
            operands: &[Remote],
            ..Form::NEW
        }],
        ..Program::NEW
    },
    Program {
        names: &[
            "unison",
            "rdiff-backup",
            "duplicity",
            "borg",
            "restic",
            "croc",
            "magic-wormhole",
            "wormhole",
            "kopia",
        ],
        options: &[(At(Remote), "-r --repo --repository --relay"), (Value, "--exclude --password-file")],
        forms: &[Form { operands: &[Remote], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["socat", "socat1"],
        options: &[],
        forms: &[Form { operands: &[Socat], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["openssl", "libressl"],
        forms: &[
            Form {
                paths: &["s_client"],
                options: &[
                    (At(Host), "-connect -host -proxy"),
                    (Silences, "-unix"),
                    (
                        Value,
                        "-port -bind -servername -cert -certform -key -keyform -CAfile -CApath -verify \
                            -cipher -ciphersuites -starttls -xmpphost -alpn -sess_out -sess_in -name \
                            -proxy_user -proxy_pass -pass -crlfile -verify_hostname -verify_ip",
                    ),
                ],
                operands: &[Host],
            },
            Form {
                paths: &["s_time"],
                options: &[(At(Host), "-connect"), (At(Url), "-www"), (Value, "-cert -key -time -cipher")],
                operands: &[],
            },
            Form {
                paths: &["ocsp"],
                options: &[(At(Url), "-url"), (At(Host), "-host"), (Value, "-issuer -cert -CAfile -path")],
                operands: &[],
            },
            Form { paths: &["cmp", "ts"], options: &[(At(Host), "-server -proxy")], operands: &[] },
        ],
        ..Program::NEW
    },
    Program {
        names: &["gnutls-cli", "tlsdate", "sslscan", "testssl.sh", "testssl", "sslyze"],
        options: &[],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["smbclient", "rpcclient", "smbget"],
        options: &[
            (At(Host), "-I --ip-address -L --list"),
            (Value, "-U --user -c --command -p --port -W -A -D -T"),
        ],
        forms: &[Form { operands: &[Name, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["mount", "mount.nfs", "mount.cifs", "mount_nfs", "mount_smbfs"],
        options: &[(Value, "-t --types -o --options -L -U")],
        forms: &[Form { operands: &[Remote, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "mail", "mailx", "s-nail", "mutt", "neomutt", "sendmail", "msmtp", "ssmtp", "swaks", "mpack",
        ],
        options: &[
            (At(Mail), "-c -b --to --cc --bcc -t"),
            (At(Host), "--server --host -h"),
            (Value, "-r --from -f -F --header --subject --body -s"),
        ],
        forms: &[Form { operands: &[Mail], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["rdesktop", "vncviewer", "rlogin", "rsh"],
        options: &[(Value, "-l -u -p -d -g -a")],
        forms: &[Form { operands: &[Host, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program { names: &["rcp"], forms: &[Form { operands: &[Remote], ..Form::NEW }], ..Program::NEW },
    Program {
        names: &[
            "ipmitool",
            "snmpwalk",
            "snmpget",
            "ldapsearch",
            "ldapmodify",
            "mosquitto_pub",
            "mosquitto_sub",
            "kafka-console-producer.sh",
            "kafka-console-consumer.sh",
            "kafka-topics.sh",
            "nats",
            "amqp-publish",
            "etcdctl",
            "consul",
            "vault",
        ],
        options: &[
            (
                At(HostList),
                "-H -h --host --bootstrap-server --broker-list --endpoints --server --url -http-addr \
                    -address --http-addr",
            ),
            (Value, "-p -u -t -m -D -w -W -x -v -c -C -P -U -f -i -b"),
        ],
        forms: &[Form { operands: &[Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["kcat", "kafkacat"],
        options: &[(At(HostList), "-b"), (Value, "-t -p -o -c -K -D -F -X")],
        forms: &[Form { operands: &[Plain], ..Form::NEW }],
        ..Program::NEW
    },
];
