//! Version control and the forges around it.

use super::Takes::{At, Nothing, Silences, Value};
use super::{Form, Program};
use crate::shell::network::style::Style::{
    Address, Forge, GitKey, GitSetting, GitValue, Host, Plain, Remote, Repository, Url,
};

const GIT_CLONE: &[(super::Takes, &str)] = &[
    (At(GitSetting), "-c --config"),
    (
        Value,
        "-o --origin -b --branch -u --upload-pack --depth --shallow-since --shallow-exclude --reference \
            --reference-if-able --template --separate-git-dir --filter -j --jobs --server-option \
            --revision --bundle-uri --ref-format",
    ),
];
const GIT_FETCH: &[(super::Takes, &str)] = &[
    (
        Value,
        "-o --server-option --upload-pack --receive-pack --exec --depth --deepen --shallow-since \
            --shallow-exclude --filter -j --jobs --refmap --negotiation-tip --sort -s --strategy -X \
            --strategy-option",
    ),
    (At(Repository), "--repo"),
];
/// `-u` sets the upstream of a branch when pushing.
const GIT_PUSH: &[(super::Takes, &str)] = &[
    (At(Repository), "--repo"),
    (Value, "-o --push-option --receive-pack --exec"),
    (
        Nothing,
        "-u --set-upstream -f --force -q -v -n -d --delete --tags --follow-tags --all --mirror --prune",
    ),
];

pub(super) static TABLE: &[Program] = &[
    Program {
        names: &["git", "hub"],
        options: &[
            (Value, "-C --git-dir --work-tree --namespace --super-prefix --attr-source --list-cmds"),
            (At(GitSetting), "-c --config-env"),
        ],
        forms: &[
            Form { paths: &["clone"], options: GIT_CLONE, operands: &[Repository, Plain] },
            Form { paths: &["push"], options: GIT_PUSH, operands: &[Repository, Url] },
            Form {
                paths: &[
                    "pull",
                    "fetch",
                    "ls-remote",
                    "fetch-pack",
                    "send-pack",
                    "http-fetch",
                    "lfs push",
                    "lfs pull",
                    "lfs fetch",
                    "http-push",
                ],
                options: GIT_FETCH,
                operands: &[Repository, Url],
            },
            Form {
                paths: &["remote add"],
                options: &[(Value, "-t -m"), (Nothing, "-f --fetch --tags --no-tags")],
                operands: &[Plain, Repository],
            },
            Form {
                paths: &["remote set-url"],
                options: &[(Nothing, "--add --push --delete")],
                operands: &[Plain, Repository],
            },
            Form {
                paths: &["submodule add"],
                options: &[(Value, "-b --branch --reference --name --depth")],
                operands: &[Repository, Plain],
            },
            Form { paths: &["submodule set-url"], options: &[], operands: &[Plain, Repository] },
            Form {
                paths: &["subtree add", "subtree pull", "subtree push"],
                options: &[(Value, "-P --prefix -m --message")],
                operands: &[Repository, Plain],
            },
            Form {
                paths: &["svn clone", "svn init", "p4 clone"],
                options: &[(Value, "-T -t -b -r -R")],
                operands: &[Repository, Plain],
            },
            Form {
                paths: &["archive"],
                options: &[(At(Repository), "--remote"), (Value, "-o --output --format --prefix --exec")],
                operands: &[],
            },
            Form { paths: &["request-pull"], options: &[], operands: &[Plain, Repository, Plain] },
            Form { paths: &["daemon"], options: &[], operands: &[] },
            Form {
                paths: &["send-email"],
                options: &[(At(Host), "--smtp-server"), (At(super::Style::Mail), "--to --cc --bcc")],
                operands: &[],
            },
            Form {
                paths: &["config", "config set"],
                options: &[
                    (
                        Silences,
                        "--get --get-all --get-regexp --get-urlmatch --list -l --unset --unset-all \
                            --remove-section --rename-section --edit -e --get-color --get-colorbool",
                    ),
                    (Value, "-f --file --blob --type --default --comment --value"),
                ],
                operands: &[GitKey, GitValue],
            },
            Form {
                paths: &[
                    "config get",
                    "config list",
                    "config unset",
                    "config edit",
                    "config remove-section",
                    "config rename-section",
                ],
                ..Form::NEW
            },
        ],
        ..Program::NEW
    },
    Program {
        names: &["gh", "glab", "tea"],
        options: &[(At(Host), "--hostname"), (At(Forge), "-R --repo")],
        forms: &[
            Form {
                paths: &[
                    "repo clone",
                    "repo fork",
                    "repo sync",
                    "extension install",
                    "extensions install",
                    "repo view",
                    "gist clone",
                    "repo set-default",
                ],
                operands: &[Forge, Plain],
                ..Form::NEW
            },
            Form {
                paths: &["api"],
                options: &[(
                    Value,
                    "-f -F --field --raw-field -H --header -X --method -q --jq -t --template --input \
                        --cache -p --preview",
                )],
                operands: &[Url],
            },
        ],
        ..Program::NEW
    },
    Program {
        names: &["svn", "svnadmin", "svnsync", "svnrdump"],
        options: &[(Value, "-m --message -F --file -r --revision --username --password")],
        forms: &[Form { operands: &[Plain, Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["hg", "sl", "bzr", "brz", "fossil", "darcs", "pijul", "jj"],
        options: &[(Value, "-R --repository --cwd --config -m --message -r --rev -e --ssh --remotecmd")],
        forms: &[
            Form {
                paths: &[
                    "clone",
                    "pull",
                    "push",
                    "incoming",
                    "outgoing",
                    "identify",
                    "in",
                    "out",
                    "branch",
                    "checkout",
                    "get",
                    "put",
                    "sync",
                    "remote-url",
                    "git clone",
                    "git push",
                ],
                operands: &[Repository],
                ..Form::NEW
            },
            Form { paths: &["git remote add"], operands: &[Plain, Repository], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["cvs"],
        options: &[(At(Remote), "-d"), (Value, "-m -r -D -z")],
        forms: &[],
        ..Program::NEW
    },
    Program { names: &["git-lfs"], forms: &[Form { operands: &[Plain, Url], ..Form::NEW }], ..Program::NEW },
    Program {
        names: &["git-clone"],
        options: GIT_CLONE,
        forms: &[Form { operands: &[Repository, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["git-fetch", "git-pull", "git-ls-remote"],
        options: GIT_FETCH,
        forms: &[Form { operands: &[Repository, Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["git-push"],
        options: GIT_PUSH,
        forms: &[Form { operands: &[Repository, Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["repo"],
        options: &[(At(Address), "--repo-url")],
        forms: &[Form {
            paths: &["init"],
            options: &[(At(Repository), "-u --manifest-url"), (Value, "-b -m -g")],
            operands: &[],
        }],
        ..Program::NEW
    },
];
