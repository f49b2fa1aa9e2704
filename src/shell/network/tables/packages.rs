//! Package managers, and build tools that fetch what they build with.

use super::Takes::{At, Nothing, Value};
use super::{Form, Program, Takes};
use crate::shell::network::style::Style::{
    Address, HostList, Mentions, Module, Package, Plain, Property, Url, VersionedModule,
};

const NODE_OPTIONS: &[(Takes, &str)] = &[
    (At(Address), "--registry --proxy --https-proxy --http-proxy --npmRegistryServer"),
    (Value, "--prefix -C --dir --cwd --workspace --filter -F --userconfig --globalconfig --cache --loglevel"),
];
/// `-w` names a workspace for `npm`, and takes no value for `pnpm`.
const NPM_OPTIONS: &[(Takes, &str)] = &[
    (At(Address), "--registry --proxy --https-proxy --http-proxy"),
    (Value, "--prefix -C -w --workspace --userconfig --globalconfig --cache --loglevel"),
];
const NODE_FORMS: &[Form] = &[
    Form {
        paths: &[
            "install",
            "i",
            "add",
            "ci",
            "in",
            "isntall",
            "update",
            "up",
            "upgrade",
            "global add",
            "link",
            "publish",
            "view",
            "info",
            "show",
            "v",
            "pack",
            "download",
            "import",
            "diff",
            "unpublish",
            "deprecate",
            "dist-tag add",
        ],
        operands: &[Package],
        ..Form::NEW
    },
    Form {
        paths: &["exec", "x", "dlx", "create", "init"],
        options: &[(At(Package), "-p --package"), (Value, "-c --call")],
        operands: &[Package, Plain],
    },
    Form {
        paths: &["config set", "c set", "set", "config", "login", "adduser"],
        options: &[(At(Address), "--auth-registry")],
        operands: &[Mentions],
    },
    Form {
        paths: &["config get", "config list", "config ls", "config delete", "c get", "c ls", "c list", "get"],
        ..Form::NEW
    },
];
const PYTHON_OPTIONS: &[(Takes, &str)] = &[
    (
        At(Address),
        "--index-url -i --extra-index-url --proxy --index --default-index --publish-url --check-url \
            --repository-url",
    ),
    (
        At(Mentions),
        "--find-links -f -e --editable -r --requirement -c --constraint --from --with --with-editable \
            --spec --pip-args",
    ),
    (At(HostList), "--trusted-host"),
    (
        Value,
        "--target --prefix --root --src --cache-dir --log --python --platform --python-version \
            --timeout --retries --cert --client-cert --group --project --directory --extra --package \
            --env-file",
    ),
];

pub(super) static TABLE: &[Program] = &[
    Program { names: &["npm", "cnpm"], options: NPM_OPTIONS, forms: NODE_FORMS, ..Program::NEW },
    Program {
        names: &["pnpm", "yarn", "yarnpkg", "bun", "ni"],
        options: NODE_OPTIONS,
        forms: NODE_FORMS,
        ..Program::NEW
    },
    Program {
        names: &["npx", "bunx", "pnpx"],
        options: &[
            (At(Package), "-p --package"),
            (At(Address), "--registry --proxy --https-proxy"),
            (Value, "-c --call -w --workspace --cache --userconfig"),
        ],
        forms: &[Form { operands: &[Package, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["pip", "pip3", "pip2", "pypy-pip", "pipenv", "easy_install", "twine", "flit"],
        options: PYTHON_OPTIONS,
        forms: &[
            Form {
                paths: &[
                    "install",
                    "download",
                    "wheel",
                    "lock",
                    "sync",
                    "index versions",
                    "upload",
                    "publish",
                ],
                operands: &[Package],
                ..Form::NEW
            },
            Form { paths: &["config set"], operands: &[Plain, Mentions], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["uv", "pdm", "rye", "hatch", "pixi"],
        options: PYTHON_OPTIONS,
        forms: &[
            Form {
                paths: &[
                    "pip install",
                    "pip download",
                    "pip sync",
                    "pip compile",
                    "add",
                    "tool install",
                    "tool upgrade",
                    "sync",
                    "lock",
                    "publish",
                    "python install",
                ],
                operands: &[Package],
                ..Form::NEW
            },
            Form { paths: &["run", "tool run"], options: &[(Value, "-p")], operands: &[Url, Plain] },
        ],
        ..Program::NEW
    },
    Program {
        names: &["uvx"],
        options: PYTHON_OPTIONS,
        forms: &[Form { operands: &[Package, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["pipx"],
        options: PYTHON_OPTIONS,
        forms: &[
            Form { paths: &["install", "upgrade", "install-all"], operands: &[Package], ..Form::NEW },
            Form { paths: &["inject"], operands: &[Plain, Package], ..Form::NEW },
            Form { paths: &["run"], operands: &[Package, Plain], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["poetry"],
        options: &[(Value, "-C --directory -P --project -G --group -E --extras")],
        forms: &[
            Form {
                paths: &["add"],
                options: &[(Value, "--source --platform --python")],
                operands: &[Package],
            },
            Form { paths: &["source add"], operands: &[Plain, Address], ..Form::NEW },
            Form { paths: &["config"], operands: &[Plain, Mentions], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["conda", "mamba", "micromamba"],
        options: &[(At(Url), "-c --channel --channel-alias"), (Value, "-n --name -p --prefix -f --file")],
        forms: &[
            Form {
                paths: &["install", "create", "update", "env create", "env update"],
                options: &[(At(Url), "-f --file")],
                operands: &[Package],
            },
            Form {
                paths: &["config"],
                options: &[(At(Mentions), "--add --set --append --prepend")],
                operands: &[Mentions],
            },
        ],
        ..Program::NEW
    },
    Program {
        names: &["cargo"],
        options: &[(At(Mentions), "--config"), (Value, "--manifest-path --target-dir -Z --color -C")],
        forms: &[
            Form {
                paths: &[
                    "install", "add", "search", "publish", "login", "owner", "yank", "update", "info",
                    "fetch", "binstall",
                ],
                options: &[
                    (At(Url), "--git --index --registry"),
                    (
                        Value,
                        "--branch --tag --rev --path --version --vers --root --bin --example -F \
                            --features -j --jobs --profile --target --token --rename -p --package",
                    ),
                ],
                operands: &[Url],
            },
            Form {
                paths: &["generate", "new", "init"],
                options: &[(At(Url), "--git --registry"), (Value, "--name --vcs --edition")],
                operands: &[Url],
            },
        ],
        ..Program::NEW
    },
    Program {
        names: &["go", "go1", "tinygo"],
        options: &[
            (Value, "-modfile -C -ldflags -tags -gcflags -mod -o -overlay -toolexec"),
            (Nothing, "-u -t -d -v -x -m -json"),
        ],
        forms: &[
            Form { paths: &["install", "get"], operands: &[Module], ..Form::NEW },
            Form { paths: &["run"], operands: &[VersionedModule, Plain], ..Form::NEW },
            Form {
                paths: &["list", "mod download", "mod why", "build"],
                operands: &[VersionedModule],
                ..Form::NEW
            },
            Form { paths: &["env"], options: &[(Nothing, "-w -u -json")], operands: &[Mentions] },
        ],
        whole_names: true,
        ..Program::NEW
    },
    Program {
        names: &["deno"],
        options: &[
            (Value, "--config -c --import-map --cert --location --seed -L --log-level --port"),
            (At(Url), "-r --reload"),
        ],
        forms: &[
            Form {
                paths: &["run", "install", "i", "serve", "compile", "x"],
                options: &[(Value, "-n --name --root --output")],
                operands: &[Url, Plain],
            },
            Form {
                paths: &[
                    "cache", "test", "bench", "check", "add", "info", "doc", "bundle", "vendor", "lint",
                    "fmt", "remove",
                ],
                operands: &[Url],
                ..Form::NEW
            },
            Form { operands: &[Url, Plain], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["gem", "bundle", "bundler"],
        options: &[(At(Address), "-s --source --host --http-proxy")],
        forms: &[
            Form {
                paths: &["install", "fetch", "update", "push", "add"],
                options: &[
                    (At(Address), "-s --source --host"),
                    (Value, "-v --version -i --install-dir -g --group -n"),
                    (At(Url), "--git"),
                ],
                operands: &[Package],
            },
            Form { paths: &["sources", "source"], options: &[(At(Address), "-a --add")], operands: &[Url] },
            Form { paths: &["config", "config set"], operands: &[Plain, Mentions], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["composer", "pear", "pecl"],
        options: &[(At(Mentions), "--repository --repository-url"), (Value, "-d --working-dir")],
        forms: &[
            Form {
                paths: &["create-project", "require", "install", "global require"],
                operands: &[Package],
                ..Form::NEW
            },
            Form {
                paths: &["config", "global config", "channel-discover"],
                operands: &[Plain, Mentions],
                ..Form::NEW
            },
        ],
        ..Program::NEW
    },
    Program {
        names: &["mvn", "mvnw", "mvnd", "gradle", "gradlew", "ant", "sbt", "lein", "bazel", "bazelisk"],
        options: &[
            (At(Property), "-D -P --define --project-prop --system-prop"),
            (At(Mentions), "--remote_cache --remote_executor --bes_backend --registry --repository_cache"),
            (At(Url), "-I --init-script --lib"),
            (Value, "-f --file -s --settings -pl -p --project-dir -b"),
        ],
        forms: &[Form { operands: &[Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["brew", "linuxbrew"],
        forms: &[Form {
            paths: &[
                "install",
                "reinstall",
                "upgrade",
                "tap",
                "cask install",
                "fetch",
                "bundle",
                "create",
                "extract",
            ],
            operands: &[Url],
            ..Form::NEW
        }],
        ..Program::NEW
    },
    Program {
        names: &[
            "apt",
            "apt-get",
            "aptitude",
            "dnf",
            "dnf5",
            "yum",
            "microdnf",
            "zypper",
            "apk",
            "pacman",
            "yay",
            "paru",
            "rpm",
            "snap",
            "flatpak",
            "opkg",
            "xbps-install",
            "emerge",
            "pkg",
            "port",
            "choco",
            "winget",
            "scoop",
            "dpkg",
            "nix-env",
            "nix",
            "nix-shell",
            "nix-channel",
            "guix",
            "asdf",
            "mise",
            "rtx",
        ],
        options: &[(
            At(Mentions),
            "-o --option --setopt --substituters --extra-substituters --override-input --repofrompath \
                --add-repo --repository-url --import --repository -X --source",
        )],
        forms: &[Form { operands: &[Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["add-apt-repository", "apt-add-repository", "apt-key", "rpmkeys", "yum-config-manager"],
        options: &[(At(Address), "--keyserver --fetch-keys --add-repo"), (Value, "--recv-keys -k --keyring")],
        forms: &[Form { operands: &[Mentions], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["gpg", "gpg2"],
        options: &[
            (At(Address), "--keyserver --fetch-keys"),
            (Value, "--recv-keys --keyring -o --output -r --recipient -u --local-user --homedir"),
        ],
        forms: &[Form { operands: &[Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "rustup",
            "rustup-init",
            "nvm",
            "fnm",
            "volta",
            "sdk",
            "pyenv",
            "rbenv",
            "ghcup",
            "stack",
            "cabal",
            "opam",
            "luarocks",
            "cpan",
            "cpanm",
            "mix",
            "rebar3",
            "nuget",
            "dotnet",
            "vcpkg",
            "conan",
            "pod",
            "swift",
            "dart",
            "flutter",
            "pub",
        ],
        options: &[(At(Mentions), "--server --source -Source -s --mirror --add-source --from --hosted-url")],
        forms: &[
            Form {
                paths: &[
                    "install",
                    "add",
                    "add package",
                    "repository add",
                    "remote add",
                    "repo add",
                    "nuget add source",
                    "tool install",
                    "nuget push",
                    "push",
                    "pub add",
                    "archive.install",
                    "hex.repo add",
                ],
                operands: &[Package],
                ..Form::NEW
            },
            Form { paths: &["update"], operands: &[Url], ..Form::NEW },
        ],
        ..Program::NEW
    },
];
