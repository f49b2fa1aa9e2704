//! Programs of the system that reach the network on the side.

use super::Takes::{At, Value};
use super::{Form, Program};
use crate::shell::network::style::Style::{Address, Host, Plain, Remote, Url, Words};

pub(super) static TABLE: &[Program] = &[
    Program {
        names: &["tar", "gtar", "bsdtar", "cpio"],
        // An archive with a colon in its name is a file on another machine.
        options: &[
            (At(Remote), "--file"),
            (At(Words), "--to-command --use-compress-program -I --rsh-command"),
            (Value, "-C --directory --exclude -T -X --transform --strip-components"),
        ],
        forms: &[Form { operands: &[Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["logger"],
        options: &[(At(Host), "-n --server"), (Value, "-t --tag -p --priority -f --file -P --port")],
        forms: &[Form { operands: &[Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["certbot", "acme.sh", "lego", "step"],
        options: &[(At(Address), "--server --ca-url"), (Value, "-d --domain --email -m")],
        forms: &[Form { operands: &[Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["systemctl", "journalctl", "loginctl", "hostnamectl", "busctl", "timedatectl", "machinectl"],
        options: &[
            (At(Host), "-H --host"),
            (At(Url), "-u"),
            (Value, "-n --lines -o --output -p --priority --since --until -t"),
        ],
        forms: &[Form { operands: &[Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "buf",
            "protoc-gen",
            "openapi-generator",
            "swagger-cli",
            "newman",
            "playwright",
            "cypress",
            "puppeteer",
            "wkhtmltopdf",
            "wkhtmltoimage",
            "pandoc",
            "ffmpeg",
            "ffplay",
            "vlc",
            "mpv",
            "cutycapt",
            "magick",
            "convert",
        ],
        options: &[(At(Url), "-i --input --input-spec -g --url --proxy-server")],
        forms: &[Form { operands: &[Url], ..Form::NEW }],
        ..Program::NEW
    },
];
