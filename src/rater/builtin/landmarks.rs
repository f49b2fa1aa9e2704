//! Files and folders that are more than data, as tables: what runs by itself, what says who may do what, what remembers.
//!
//! Promises rows of names from the top of their folder; the last name of a row may end in `*`. Knows nothing of paths.

/// In a project: what runs when somebody works on it.
pub(super) const HOOKS: &[&[&str]] = &[
    &[".husky"],
    &[".githooks"],
    &[".pre-commit-config.yaml"],
    &["lefthook.yml"],
    &["lefthook.yaml"],
    &[".lefthook*"],
    &[".envrc"],
    &[".direnv"],
    &[".devcontainer"],
];

/// In a project: what builds and deploys it elsewhere.
pub(super) const AUTOMATION: &[&[&str]] = &[
    &[".github", "workflows"],
    &[".github", "actions"],
    &[".gitea", "workflows"],
    &[".forgejo", "workflows"],
    &[".gitlab-ci*"],
    &[".circleci"],
    &[".buildkite"],
    &[".travis.yml"],
    &[".drone.yml"],
    &[".woodpecker*"],
    &[".teamcity"],
    &[".azure-pipelines*"],
    &["azure-pipelines*"],
    &["bitbucket-pipelines*"],
    &["appveyor.yml"],
    &[".appveyor.yml"],
    &["cloudbuild.y*"],
    &["Jenkinsfile*"],
    &[".npmrc"],
    &[".yarnrc*"],
];

/// In a project or at home: what says what an agent or an editor may do and what it runs.
pub(super) const AGENT: &[&[&str]] = &[
    &[".claude"],
    &[".claude.json"],
    &[".codex"],
    &[".cursor"],
    &[".windsurf"],
    &[".gemini"],
    &[".continue"],
    &[".roo*"],
    &[".cline*"],
    &[".aider.conf.yml"],
    &[".mcp.json"],
    &["mcp.json"],
    &[".vscode"],
    &[".zed"],
    &[".idea"],
    &["haltgate.jsonc"],
    &["haltgate.json"],
    &[".haltgate*"],
    &[".config", "Code"],
    &[".config", "zed"],
    &[".config", "Claude"],
    &["Library", "Application Support", "Claude"],
    &["Library", "Application Support", "Code"],
];

/// At home: what runs at login, at the start of a shell or of a desktop, or by a timer.
pub(super) const LATER: &[&[&str]] = &[
    &[".bashrc*"],
    &[".bash_profile"],
    &[".bash_login"],
    &[".bash_logout"],
    &[".bash_aliases"],
    &[".profile"],
    &[".zshrc*"],
    &[".zshenv"],
    &[".zprofile"],
    &[".zlogin"],
    &[".zlogout"],
    &[".kshrc"],
    &[".cshrc"],
    &[".tcshrc"],
    &[".login"],
    &[".logout"],
    &[".inputrc"],
    &[".xinitrc"],
    &[".xsession*"],
    &[".xprofile"],
    &[".pam_environment"],
    &[".config", "fish"],
    &[".config", "autostart"],
    &[".config", "systemd"],
    &[".config", "environment.d"],
    &[".config", "plasma-workspace"],
    &[".local", "share", "systemd"],
    &["Library", "LaunchAgents"],
    &[".ssh", "authorized_keys*"],
    &[".ssh", "rc"],
    &[".vimrc"],
    &[".config", "nvim", "init*"],
    &[".emacs*"],
    &[".pythonrc*"],
    &[".local", "lib", "python*"],
];

/// At home: settings that can make a program run another one or go elsewhere.
pub(super) const SETTINGS: &[&[&str]] = &[
    &[".gitconfig"],
    &[".config", "git"],
    &[".ssh"],
    &[".npmrc"],
    &[".yarnrc*"],
    &[".pip"],
    &[".config", "pip"],
    &[".pypirc"],
    &[".cargo", "config*"],
    &[".cargo", "bin"],
    &[".local", "bin"],
    &["bin"],
    &[".m2", "settings.xml"],
    &[".gradle", "init*"],
    &[".gradle", "gradle.properties"],
    &[".docker"],
    &[".kube"],
    &[".curlrc"],
    &[".wgetrc"],
    &[".tmux.conf"],
    &[".gdbinit"],
    &[".lldbinit"],
];

/// At home: what can be loaded or built anew.
pub(super) const CACHES: &[&[&str]] = &[
    &[".cache"],
    &[".npm"],
    &[".pnpm-store"],
    &[".local", "share", "pnpm"],
    &[".yarn"],
    &[".cargo", "registry"],
    &[".cargo", "git"],
    &[".rustup", "tmp"],
    &[".gradle", "caches"],
    &[".gradle", "daemon"],
    &[".m2", "repository"],
    &[".ivy2", "cache"],
    &[".nuget", "packages"],
    &[".bundle", "cache"],
    &["go", "pkg"],
    &["Library", "Caches"],
    &["Library", "Developer", "Xcode", "DerivedData"],
    &[".local", "share", "Trash"],
];

/// At home: what a shell or a client remembers.
pub(super) const HISTORY: &[&[&str]] = &[
    &[".bash_history"],
    &[".zsh_history"],
    &[".zsh_sessions"],
    &[".history"],
    &[".sh_history"],
    &[".python_history"],
    &[".node_repl_history"],
    &[".psql_history"],
    &[".mysql_history"],
    &[".sqlite_history"],
    &[".rediscli_history"],
    &[".local", "share", "fish", "fish_history"],
];

/// Of the system: what runs at start, at login or by a timer, or is loaded into every program.
pub(super) const SYSTEM_LATER: &[&[&str]] = &[
    &["etc", "cron*"],
    &["etc", "anacrontab"],
    &["etc", "at.*"],
    &["etc", "systemd"],
    &["etc", "init*"],
    &["etc", "rc*"],
    &["etc", "profile*"],
    &["etc", "bash*"],
    &["etc", "zsh*"],
    &["etc", "environment*"],
    &["etc", "ld.so*"],
    &["etc", "update-motd.d"],
    &["etc", "udev"],
    &["etc", "xdg", "autostart"],
    &["usr", "lib", "systemd"],
    &["usr", "local", "lib", "systemd"],
    &["lib", "systemd"],
    &["run", "systemd"],
    &["var", "spool", "cron*"],
    &["var", "spool", "at"],
    &["Library", "LaunchDaemons"],
    &["Library", "LaunchAgents"],
    &["Library", "StartupItems"],
];

/// Of the system: who may do what.
pub(super) const RIGHTS: &[&[&str]] = &[
    &["etc", "sudoers*"],
    &["etc", "doas.conf"],
    &["etc", "passwd*"],
    &["etc", "shadow*"],
    &["etc", "group*"],
    &["etc", "gshadow*"],
    &["etc", "subuid"],
    &["etc", "subgid"],
    &["etc", "pam.d"],
    &["etc", "security"],
    &["etc", "polkit-1"],
    &["etc", "ssh"],
    &["etc", "selinux"],
    &["etc", "apparmor*"],
    &["etc", "securetty"],
    &["etc", "krb5*"],
    &["var", "run", "docker.sock"],
    &["run", "docker.sock"],
];

/// Names of files that hold secrets beside other things, without their endings: reading them is no routine.
pub(super) const SENSITIVE: &[&str] = &[
    "secrets",
    "secret",
    "credentials",
    "service-account",
    "service_account",
    "serviceaccount",
    "token",
    "tokens",
    "passwords",
    "password",
    "vault",
    "htpasswd",
    "master",
    "cookies",
];
/// Endings of such files; `master.key` is a credential anyway.
pub(super) const SENSITIVE_ENDINGS: &[&str] =
    &["yml", "yaml", "json", "toml", "txt", "ini", "enc", "properties", "tfvars", "sqlite", "csv"];

/// Logs of who came in and what was done, by the starts of their names.
pub(super) const TRACES: &[&str] = &["auth", "secure", "wtmp", "btmp", "lastlog", "faillog", "audit", "sudo"];

/// Where browsers keep logins and sessions.
pub(super) const BROWSER_STORES: &[&str] =
    &["Cookies", "Login Data", "Web Data", "logins.json", "key4.db", "cookies.sqlite", "Local State"];
