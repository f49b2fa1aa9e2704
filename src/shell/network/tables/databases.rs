//! Clients of databases and queues.

use super::Takes::{At, Glued, Value};
use super::{Form, Program};
use crate::shell::network::style::Style::{Address, Database, Host, HostList, Mail, Plain, Url};

pub(super) static TABLE: &[Program] = &[
    Program {
        names: &["psql", "pgcli", "usql"],
        options: &[
            (At(HostList), "-h --host"),
            (At(Database), "-d --dbname"),
            (
                Value,
                "-c --command -v --set --variable -P --pset -p --port -U --username -f --file -o \
                --output -F -R -T -L",
            ),
        ],
        forms: &[Form { operands: &[Database], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "pg_dump",
            "pg_dumpall",
            "pg_restore",
            "pg_isready",
            "pg_basebackup",
            "createdb",
            "dropdb",
            "createuser",
            "dropuser",
            "vacuumdb",
            "reindexdb",
            "clusterdb",
            "pgbench",
            "pg_receivewal",
        ],
        options: &[
            (At(HostList), "-h --host"),
            (At(Database), "-d --dbname --maintenance-db -l"),
            (Value, "-U --username -p --port -f --file"),
        ],
        forms: &[Form { operands: &[Database], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "mysql",
            "mariadb",
            "mysqldump",
            "mariadb-dump",
            "mysqladmin",
            "mysqlimport",
            "mysqlcheck",
            "mysqlshow",
            "mysqlsh",
            "mycli",
        ],
        options: &[
            (At(Host), "-h --host"),
            (At(Database), "--uri"),
            (Glued, "-p"),
            (Value, "-P --port -u --user -D --database -S --socket -w --where --execute"),
        ],
        forms: &[Form { operands: &[Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["redis-cli", "valkey-cli", "redis-benchmark", "iredis", "keydb-cli"],
        options: &[
            (At(Host), "-h"),
            (At(Address), "-u --uri"),
            (Value, "-p -a --pass --user -n -r -i -s -d -D --cacert --cert --key --sni --eval --pattern"),
        ],
        forms: &[Form { operands: &[Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "mongosh",
            "mongo",
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "mongostat",
            "mongotop",
        ],
        options: &[
            (At(Host), "-h --host"),
            (At(Database), "--uri"),
            (Glued, "-p"),
            (Value, "--eval -f --file -q --query -u --username"),
        ],
        forms: &[Form { operands: &[Database], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "sqlcmd",
            "bcp",
            "mssql-cli",
            "clickhouse-client",
            "clickhouse",
            "influx",
            "rabbitmqadmin",
            "cockroach",
            "snowsql",
            "trino",
            "presto",
            "beeline",
            "neo4j-admin",
            "cypher-shell",
            "arangosh",
            "couchbase-cli",
            "nodetool",
            "solr",
            "memcached-tool",
        ],
        options: &[
            (At(HostList), "-S --server -H -h --host -host -a --address"),
            (At(Database), "--url -u"),
            (Value, "-Q --query"),
        ],
        forms: &[Form { operands: &[Database], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["cqlsh"],
        options: &[(Value, "-u -p -k -f -e")],
        forms: &[Form { operands: &[Host, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["sqlplus", "sqlldr", "expdp", "impdp"],
        forms: &[Form { operands: &[Mail], ..Form::NEW }],
        ..Program::NEW
    },
];
