//! Variables of tools that decide which programs they run, which settings and libraries they load or which hosts they trust.
//!
//! Promises to know them by their names, or by the ends of names that tools agree on. Knows nothing of values.

/// Ends of names that say what a variable is for: a program, options of a program, a file of settings, another host.
const ENDS: &[&str] = &[
    "_PAGER",
    "_EDITOR",
    "_BROWSER",
    "_WRAPPER",
    "_LAUNCHER",
    "_OPTS",
    "_ADDOPTS",
    "_OPTIONS",
    "_ARGS",
    "_AFLAGS",
    "_RCFILE",
    "_CONFIG_FILE",
    "_CONFIG_PATH",
    "_CONFIG_DIR",
    "_BINARY",
    "_EXECUTABLE_PATH",
    "_MIRROR",
    "_PROXY",
    "_REPOURL",
    "_PLUGINS",
    "_PLUGIN_PATH",
    "_PLUGIN_DIR",
    "_CA_BUNDLE",
    "_CAINFO",
    "_DOWNLOAD_HOST",
    "_BINARY_SITE",
    "_LOAD_PATH",
    "_SKIP_VERIFY",
    "_EXTERNAL_DIFF",
    "_LOG_PATH",
    "_PLUGIN_CACHE_DIR",
];

/// Starts of names that belong to one tool and set what its settings or options set.
const STARTS: &[&str] = &[
    "CARGO_BUILD_RUSTC",
    "CARGO_ALIAS_",
    "CARGO_REGISTRY_",
    "CARGO_REGISTRIES_",
    "CARGO_SOURCE_",
    "CARGO_HTTP_",
    "CARGO_NET_GIT_",
    "CARGO_UNSTABLE_",
    "TF_CLI_",
    "ANSIBLE_",
    "CLOUDSDK_",
    "CORECLR_",
    "COMPOSER",
    "BUNDLE_",
    "POETRY_REPOSITORIES_",
    "POETRY_CONFIG",
    "PDM_PYPI",
    "MIX_ARCHIVES",
    "HELM_REPOSITORY_",
    "AWS_CONTAINER_",
    "AWS_EC2_METADATA_SERVICE_",
    "AWS_ENDPOINT_URL",
    "LESS",
    "MANOPT",
    "MANROFF",
    "HOMEBREW_BREW_",
    "YARN_RC",
    "COREPACK_",
    "CMAKE_PROJECT_",
    "CMAKE_MAKE_",
    "GIT_SSH",
    "SSH_SK_",
    "DOCKER_CERT",
    "DOCKER_CONTENT_TRUST_",
    "PASSWORD_STORE_",
    "NIX_",
];

/// Names that start like them and change how much is shown or where something harmless is kept.
const HARMLESS: &[&str] = &[
    "BUNDLE_WITHOUT",
    "BUNDLE_WITH",
    "BUNDLE_JOBS",
    "BUNDLE_FROZEN",
    "BUNDLE_DEPLOYMENT",
    "BUNDLE_RETRY",
    "BUNDLE_SILENCE_ROOT_WARNING",
    "COMPOSER_NO_INTERACTION",
    "COMPOSER_ALLOW_SUPERUSER",
    "COMPOSER_MEMORY_LIMIT",
    "ANSIBLE_FORCE_COLOR",
    "ANSIBLE_NOCOLOR",
    "ANSIBLE_STDOUT_CALLBACK",
    "ANSIBLE_HOST_KEY_CHECKING",
    "CLOUDSDK_CORE_DISABLE_PROMPTS",
    "CLOUDSDK_CORE_PROJECT",
    "TF_CLI_ARGS_fmt",
    "COREPACK_ENABLE_DOWNLOAD_PROMPT",
    "COREPACK_ENABLE_STRICT",
    "LESSCHARSET",
    "NO_PROXY",
    "AWS_EC2_METADATA_DISABLED",
];

/// Other names, each of one tool.
const NAMES: &[&str] = &[
    "TF_REATTACH_PROVIDERS",
    "PYTHONWARNINGS",
    "PYTHONBREAKPOINT",
    "PYTHONPLATLIBDIR",
    "PYTHONEXECUTABLE",
    "PYTEST_PLUGINS",
    "COVERAGE_PROCESS_START",
    "MYPYPATH",
    "IPYTHONDIR",
    "VIRTUAL_ENV",
    "PIPENV_PIPFILE",
    "CONDARC",
    "CONDA_CHANNELS",
    "NODE_REDIRECT_WARNINGS",
    "NODE_REPL_EXTERNAL_MODULE",
    "PNPM_HOME",
    "DENO_DIR",
    "CHROME_PATH",
    "CHROME_BIN",
    "ESBUILD_BINARY_PATH",
    "SWC_BINARY_PATH",
    "CYPRESS_INSTALL_BINARY",
    "NVM_DIR",
    "CARGO",
    "RUSTFMT",
    "RUSTC_LINKER",
    "CLIPPY_CONF_DIR",
    "SCCACHE_ENDPOINT",
    "CCACHE_PREFIX",
    "CCACHE_COMPILER",
    "DISTCC_HOSTS",
    "PKG_CONFIG",
    "CONFIG_SITE",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "GOROOT",
    "GOBIN",
    "GOENV",
    "GOCACHEPROG",
    "GOAUTH",
    "GOVCS",
    "GOWORK",
    "GOTOOLCHAIN",
    "VK_ICD_FILENAMES",
    "DPKG_ADMINDIR",
    "DIRENV_CONFIG",
    "ASDF_DATA_DIR",
    "SDKMAN_DIR",
    "AWS_CLI_AUTO_PROMPT",
    "HELM_DRIVER",
    "GOPRIVATE",
    "JAVA_HOME",
    "M2_HOME",
    "MAVEN_CONFIG",
    "GRADLE_USER_HOME",
    "DOTNET_ROOT",
    "DOTNET_ADDITIONAL_DEPS",
    "MSBuildSDKsPath",
    "CustomBeforeMicrosoftCommonTargets",
    "CustomAfterMicrosoftCommonTargets",
    "RestoreSources",
    "RUBYGEMS_GEMDEPS",
    "ERL_FLAGS",
    "ERL_ZFLAGS",
    "ERL_LIBS",
    "GHC_ENVIRONMENT",
    "KUBERNETES_MASTER",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AZURE_EXTENSION_DIR",
    "GH_HOST",
    "GH_PATH",
    "GITLAB_HOST",
    "ARGOCD_SERVER",
    "VAULT_ADDR",
    "DOCKER_CONFIG",
    "CONTAINERS_CONF",
    "CONTAINER_HOST",
    "BUILDKIT_HOST",
    "COMPOSE_FILE",
    "PGSERVICEFILE",
    "PSQLRC",
    "PSQL_HISTORY",
    "SQLITE_HISTORY",
    "MYSQL_TEST_LOGIN_FILE",
    "LIBMYSQL_PLUGIN_DIR",
    "MANPATH",
    "MANLESS",
    "GROFF_COMMAND_PREFIX",
    "ACKRC",
    "DIFFPROG",
    "HG",
    "TEXINPUTS",
    "openout_any",
    "shell_escape",
    "TEXMFHOME",
    "PERL5SHELL",
    "PERLIO_DEBUG",
    "MAGICK_CONFIGURE_PATH",
    "GTK_MODULES",
    "FFREPORT",
    "MALLOC_TRACE",
    "HOSTALIASES",
    "HOMEBREW_API_DOMAIN",
    "APT_CONFIG",
    "RPM_CONFIGDIR",
    "SYSTEMD_UNIT_PATH",
    "SSH_AUTH_SOCK",
    "GNUPGHOME",
    "USERPROFILE",
    "APPDATA",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "LEFTHOOK_CONFIG",
    "PRE_COMMIT_HOME",
    // What switches off the checks of a commit or a push.
    "HUSKY",
    "HUSKY_SKIP_HOOKS",
    "SKIP",
    "LEFTHOOK",
    "OVERCOMMIT_DISABLE",
];

/// Names of flags of compilers: they can name a plugin, a linker or a folder, or only a way to build.
pub(super) const COMPILERS: &[&str] = &[
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "LDLIBS",
    "FFLAGS",
    "CGO_CFLAGS",
    "CGO_CXXFLAGS",
    "CGO_LDFLAGS",
    "CPATH",
    "C_INCLUDE_PATH",
    "LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "CMAKE_PREFIX_PATH",
];

/// Names of folders and files that tools write to.
const WRITTEN: &[&str] = &[
    "TMPDIR",
    "PYTHONPYCACHEPREFIX",
    "NODE_V8_COVERAGE",
    "COVERAGE_FILE",
    "CCACHE_DIR",
    "SCCACHE_DIR",
    "GOCACHE",
    "GOTMPDIR",
    "GOMODCACHE",
    "GOPATH",
    "TF_DATA_DIR",
    "LLVM_PROFILE_FILE",
    "KUBECACHEDIR",
    "BABEL_CACHE_PATH",
    "NUGET_PACKAGES",
    "FLASK_APP",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "XDG_DATA_HOME",
];

/// Whether a variable makes tools write, or load, outside the project and the temporary folders.
pub(super) fn leads_outside(name: &str, value: &str) -> bool {
    let parent = value.split('/').any(|part| part == "..");
    WRITTEN.contains(&name)
        && (parent || value.starts_with('/') && !value.starts_with("/tmp/") && value != "/tmp")
}

/// Whether a value is an address on another machine: `postgres://u:p@db.example.com/x`. Names without a dot are those of
/// containers beside this one.
pub(super) fn names_another_host(value: &str) -> bool {
    let Some((_, rest)) = value.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() };
    let here = ["[::1]", "127.0.0.1", "0.0.0.0"];
    let near = [".localhost", ".local", ".test", ".internal"];
    host.contains(['.', '['])
        && !here.iter().any(|own| host.starts_with(own))
        && !near.iter().any(|end| host.ends_with(end))
}

/// Whether a variable decides what a tool runs, loads or trusts.
pub(super) fn decides(name: &str) -> bool {
    !HARMLESS.contains(&name)
        && (NAMES.contains(&name)
            || ENDS.iter().any(|end| name.ends_with(end))
            || STARTS.iter().any(|start| name.starts_with(start)))
}

/// Whether flags of a compiler load code or name files outside the project: `-fplugin=`, `-B/tmp/x`, `-fuse-ld=`.
pub(super) fn loads_code(value: &str) -> bool {
    const LOADING: [&str; 9] =
        ["-fplugin", "-fpass-plugin", "-fuse-ld", "-load", "-B", "-specs", "--specs", "-wrapper", "-include"];
    value.contains('\0')
        || value.split([' ', ':', ',', '\t']).any(|word| {
            LOADING.iter().any(|start| word.starts_with(start))
                || word.starts_with(['/', '~'])
                || word.contains("/tmp/")
        })
}

#[cfg(test)]
mod tests {
    use super::{decides, leads_outside, loads_code, names_another_host};

    #[test]
    fn addresses_on_other_machines_are_told_from_those_on_this_one() {
        for (value, expected) in [
            ("postgres://u:p@localhost:5432/x", false),
            ("redis://127.0.0.1:6379", false),
            ("postgres://db/x", false),
            ("http://[::1]:80", false),
            ("postgres://u:p@db.example.com/x", true),
            ("https://10.0.0.1", true),
            ("debug", false),
        ] {
            assert_eq!(names_another_host(value), expected, "{value}");
        }
    }

    #[test]
    fn folders_that_tools_write_to_lie_in_the_project_or_in_a_temporary_folder() {
        for (name, value, expected) in [
            ("TMPDIR", "/etc", true),
            ("TMPDIR", "/tmp/x", false),
            ("GOCACHE", ".cache", false),
            ("GOCACHE", "../x", true),
            ("RUST_LOG", "/etc", false),
        ] {
            assert_eq!(leads_outside(name, value), expected, "{name}={value}");
        }
    }

    #[test]
    fn variables_that_decide_what_a_tool_runs_are_told_by_their_names() {
        let cases = [
            ("PYTEST_ADDOPTS", true),
            ("GH_PAGER", true),
            ("TF_CLI_ARGS_plan", true),
            ("CARGO_BUILD_RUSTC_WRAPPER", true),
            ("LESSOPEN", true),
            ("PYTHONWARNINGS", true),
            ("NODE_ENV", false),
            ("RUST_LOG", false),
            ("CI", false),
            ("PYTHONUNBUFFERED", false),
            ("BUNDLE_WITHOUT", false),
        ];
        for (name, expected) in cases {
            assert_eq!(decides(name), expected, "{name}");
        }
    }

    #[test]
    fn flags_of_a_compiler_are_harmless_until_they_load_code() {
        for (value, expected) in [
            ("-O2 -g -Wall", false),
            ("-Iinclude -DNDEBUG", false),
            ("-fplugin=./x.so", true),
            ("-fuse-ld=/tmp/x", true),
            ("/opt/x/lib", true),
        ] {
            assert_eq!(loads_code(value), expected, "{value}");
        }
    }
}
