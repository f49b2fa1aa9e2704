//! Programs that ask the network about a host.

use super::Takes::{At, Unseen, Value};
use super::{Form, Program};
use crate::shell::network::style::Style::{Address, Host, LookUp, Plain, Url};

pub(super) static TABLE: &[Program] = &[
    Program {
        names: &["ping", "ping6", "ping4"],
        options: &[(Value, "-c -I -i -l -m -M -p -Q -s -S -t -T -w -W")],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["fping"],
        options: &[(Unseen, "-f --file"), (Value, "-B -b -c -C -H -i -I -k -O -p -r -S -t -T")],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["arping", "hping3", "nping", "oping"],
        options: &[(Value, "-c -i -I -p -w")],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["traceroute", "traceroute6", "tracepath", "tracert", "tcptraceroute"],
        options: &[(Value, "-m -p -q -w -s -i -f -g -t -z -N --max-hops --port --queries --wait")],
        forms: &[Form { operands: &[Host, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["mtr", "mtr-packet"],
        options: &[
            (Unseen, "-F --filename"),
            (
                Value,
                "-c --report-cycles -i --interval -s --psize -m --max-ttl -f --first-ttl -o --order \
                -P --port -Z -B -Q -G -a -I",
            ),
        ],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["tcping", "paping"],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["iperf3", "iperf", "netperf"],
        options: &[(At(Host), "-c --client -H"), (Value, "-p -t -i -P -b -n -l -w -f")],
        forms: &[Form { operands: &[Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["nmap"],
        options: &[
            (Unseen, "-iL -iR"),
            (At(Host), "-sI -b"),
            (
                Value,
                "-p -oN -oX -oG -oA -oS -T --script --script-args --top-ports --exclude --min-rate \
                    --max-rate -e -S -D -g --source-port --max-retries --host-timeout --excludefile \
                    --dns-servers --ttl --data-length",
            ),
        ],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        whole_names: true,
        ..Program::NEW
    },
    Program {
        names: &[
            "masscan",
            "zmap",
            "rustscan",
            "naabu",
            "nikto",
            "gobuster",
            "ffuf",
            "dirb",
            "sqlmap",
            "nuclei",
            "hydra",
            "wpscan",
            "feroxbuster",
            "amass",
            "subfinder",
            "whatweb",
        ],
        options: &[
            (Unseen, "-iL -list -L -l"),
            (At(Address), "-host -h --host -u --url -target --target -d --domain -a"),
            (Value, "-p -w --wordlist -o -t -P"),
        ],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        whole_names: true,
        ..Program::NEW
    },
    Program {
        names: &["dig", "delv", "kdig", "drill", "dog", "doggo"],
        options: &[(Unseen, "-f"), (At(Host), "-x -q"), (Value, "-b -c -k -p -y")],
        forms: &[Form { operands: &[LookUp], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["nslookup", "host", "whois", "avahi-resolve"],
        options: &[(Value, "-t -c -N -R -W -p"), (At(Host), "-h --host")],
        forms: &[Form { operands: &[LookUp], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["resolvectl", "systemd-resolve"],
        options: &[(Value, "-t -c -i -p")],
        forms: &[Form { paths: &["query", "service", "tlsa", "openpgp"], operands: &[LookUp], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["getent"],
        forms: &[Form {
            paths: &["hosts", "ahosts", "ahostsv4", "ahostsv6"],
            operands: &[LookUp],
            ..Form::NEW
        }],
        ..Program::NEW
    },
    Program {
        names: &["ntpdate", "ntpdig", "sntp"],
        options: &[(Value, "-p -t -o -a -e -k")],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["wait-for-it", "wait-for-it.sh", "wait-for"],
        options: &[(At(Host), "-h --host"), (Value, "-p --port -t --timeout")],
        forms: &[Form { operands: &[Address, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["wait-on", "dockerize"],
        options: &[(At(Url), "-wait")],
        forms: &[Form { operands: &[Url], ..Form::NEW }],
        ..Program::NEW
    },
];
