//! The command lines of cloud providers, and what provisions there.

use super::Takes::{At, Nothing, SentFile, Value};
use super::{Form, Program};
use crate::shell::network::style::Style::{Address, Host, HostList, Mentions, Name, Plain, Remote, Url};

pub(super) static TABLE: &[Program] = &[
    Program {
        names: &["aws", "aws2", "awslocal", "aliyun", "tccli"],
        options: &[
            (At(Address), "--endpoint-url"),
            (
                Value,
                "--profile --region --output --query --ca-bundle --cli-input-json --cli-read-timeout --color",
            ),
        ],
        forms: &[
            Form {
                paths: &[
                    "s3 cp",
                    "s3 mv",
                    "s3 sync",
                    "s3 ls",
                    "s3 rm",
                    "s3 presign",
                    "s3 mb",
                    "s3 rb",
                    "s3 website",
                ],
                options: &[
                    (
                        Value,
                        "--exclude --include --acl --storage-class --sse --content-type --cache-control \
                            --metadata --grants --expires-in --page-size",
                    ),
                    (Nothing, "--recursive --dryrun --quiet --delete"),
                ],
                operands: &[Url],
            },
            Form {
                paths: &[
                    "s3api put-object",
                    "s3api get-object",
                    "s3api copy-object",
                    "s3api upload-part",
                    "s3api put-bucket-policy",
                    "s3api delete-object",
                    "s3api create-multipart-upload",
                ],
                options: &[
                    (At(Name), "--bucket"),
                    (SentFile, "--body"),
                    (Value, "--key --copy-source --policy --acl --upload-id --part-number"),
                ],
                operands: &[Plain],
            },
        ],
        ..Program::NEW
    },
    Program {
        names: &["gsutil", "s3cmd", "s5cmd", "mc", "mcli", "azcopy", "b2", "s4cmd", "gcsfuse", "s3fs"],
        options: &[(At(Address), "--host --endpoint-url --endpoint --host-bucket --proxy-host")],
        forms: &[
            Form {
                paths: &["alias set", "config host add"],
                operands: &[Plain, Address, Plain],
                ..Form::NEW
            },
            Form { operands: &[Url], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["gcloud"],
        options: &[(
            Value,
            "--project --zone --region --account --format --filter --configuration \
                --impersonate-service-account --verbosity",
        )],
        forms: &[
            Form {
                paths: &[
                    "storage cp",
                    "storage mv",
                    "storage rsync",
                    "storage ls",
                    "storage cat",
                    "storage rm",
                    "builds submit",
                    "artifacts docker images list",
                    "alpha storage cp",
                ],
                options: &[(Value, "--tag --config")],
                operands: &[Url],
            },
            Form {
                paths: &[
                    "compute ssh",
                    "compute start-iap-tunnel",
                    "cloud-shell ssh",
                    "compute tpus tpu-vm ssh",
                ],
                options: &[(Value, "--command --ssh-flag --ssh-key-file")],
                operands: &[Name, Plain],
            },
            Form {
                paths: &["compute scp", "compute copy-files"],
                options: &[(Value, "--ssh-key-file --scp-flag")],
                operands: &[Remote],
            },
            Form { paths: &["auth configure-docker"], operands: &[HostList], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["az"],
        options: &[(Value, "--subscription -o --output --query -g --resource-group -n --name --id")],
        forms: &[
            Form {
                paths: &[
                    "storage blob upload",
                    "storage blob upload-batch",
                    "storage blob download",
                    "storage blob download-batch",
                    "storage copy",
                    "storage blob sync",
                    "storage file upload",
                    "storage file download",
                    "storage file upload-batch",
                ],
                options: &[
                    (At(Name), "--account-name"),
                    (At(Address), "--blob-endpoint --blob-url --source-uri --destination-blob"),
                    (At(Url), "-s --source -d --destination"),
                    (SentFile, "-f --file"),
                    (Value, "-c --container-name --connection-string --sas-token --account-key"),
                ],
                operands: &[Url],
            },
            Form {
                paths: &["rest"],
                options: &[(At(Address), "-u --uri --url"), (Value, "-m --method -b --body --headers")],
                operands: &[],
            },
            Form {
                paths: &["acr login", "acr build", "acr import"],
                options: &[(At(Name), "-r --registry"), (At(Mentions), "--source")],
                operands: &[Url],
            },
            Form { paths: &["ssh vm"], options: &[(At(Host), "--ip --hostname")], operands: &[] },
        ],
        ..Program::NEW
    },
    Program {
        names: &["terraform", "tofu", "terragrunt"],
        options: &[
            (At(Mentions), "-backend-config --backend-config -from-module --from-module -plugin-dir"),
            (Value, "-var -var-file -target -out -state -chdir -lock-timeout -parallelism"),
        ],
        forms: &[
            Form { paths: &["login", "logout"], operands: &[Host], ..Form::NEW },
            Form { paths: &["init", "plan", "apply", "get", "import"], operands: &[Plain], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["pulumi"],
        options: &[(At(Url), "-c --cloud-url")],
        forms: &[Form { paths: &["login", "new"], operands: &[Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["ansible", "ansible-playbook", "ansible-pull", "ansible-galaxy", "ansible-console"],
        options: &[(At(HostList), "-l --limit"), (At(Url), "-U --url -s --server")],
        forms: &[Form { operands: &[Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "vercel",
            "netlify",
            "heroku",
            "flyctl",
            "fly",
            "wrangler",
            "firebase",
            "surge",
            "ngrok",
            "cloudflared",
            "localtunnel",
            "lt",
            "bore",
            "frpc",
            "tailscale",
            "inlets",
        ],
        options: &[(At(Address), "--api --host --server --remote --url-remote --login-server --to")],
        forms: &[
            Form { paths: &["login"], operands: &[Host], ..Form::NEW },
            Form { operands: &[Url], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["huggingface-cli", "hf", "ollama", "wandb", "dvc", "mlflow", "kaggle"],
        options: &[(At(Address), "--host --base-url --tracking-uri --url --endpoint")],
        forms: &[
            Form { paths: &["remote add", "remote modify"], operands: &[Plain, Url], ..Form::NEW },
            Form {
                paths: &["pull", "push", "run", "get", "import", "get-url", "import-url", "download"],
                operands: &[Url],
                ..Form::NEW
            },
        ],
        ..Program::NEW
    },
];
