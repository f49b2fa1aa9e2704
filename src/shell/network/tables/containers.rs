//! Containers, their registries and the clusters that run them.

use super::Takes::{At, Nothing, Published, Publishes, Value};
use super::{Form, Program, Takes};
use crate::shell::network::style::Style::{Address, Host, Image, Mentions, Plain, Url};

const RUN: &[(Takes, &str)] = &[
    (
        Value,
        "-a --attach --add-host --annotation --blkio-weight --cap-add --cap-drop --cgroup-parent \
            --cgroupns --cidfile --cpu-period --cpu-quota -c --cpu-shares --cpus --cpuset-cpus \
            --cpuset-mems --detach-keys --device --dns --dns-option --dns-search --domainname \
            --entrypoint -e --env --env-file --expose --gpus --group-add --health-cmd --health-interval \
            --health-retries --health-timeout -h --hostname --ip --ip6 --ipc --isolation \
            --kernel-memory -l --label --label-file --link --log-driver --log-opt --mac-address -m \
            --memory --memory-reservation --memory-swap --mount --name --network --net --network-alias \
            --oom-score-adj --pid --pids-limit --platform -p --publish --pull --restart --runtime \
            --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs \
            --ulimit -u --user --userns --uts -v --volume --volume-driver --volumes-from -w --workdir \
            --pod --secret --arch --os --authfile",
    ),
    (Nothing, "-d -i -t -P -q --rm --init --privileged --read-only --detach --interactive --tty"),
];

pub(super) static TABLE: &[Program] = &[
    Program {
        names: &["docker", "podman", "nerdctl", "docker.io", "podman-remote"],
        options: &[
            (At(Address), "-H --host --url"),
            (
                Value,
                "-c --context --connection --config -l --log-level --tlscacert --tlscert --tlskey \
                    --namespace -n --root --identity",
            ),
        ],
        forms: &[
            Form {
                paths: &["run", "create", "container run", "container create"],
                options: RUN,
                operands: &[Image, Plain],
            },
            Form {
                paths: &[
                    "pull",
                    "push",
                    "image pull",
                    "image push",
                    "manifest inspect",
                    "plugin install",
                    "plugin push",
                    "plugin pull",
                    "search",
                    "buildx imagetools inspect",
                ],
                options: &[(Value, "--platform --authfile --creds --limit --filter -f --format")],
                operands: &[Image, Plain],
            },
            Form {
                paths: &["login", "logout"],
                options: &[(Value, "-u --username -p --password --authfile")],
                operands: &[Host],
            },
            Form {
                paths: &["build", "buildx build", "image build", "builder build"],
                options: &[
                    (Published, "-t --tag"),
                    (Publishes, "--push"),
                    (At(Mentions), "--build-arg --build-context --cache-from --cache-to"),
                    (
                        Value,
                        "-f --file --target --platform --label --network --secret --ssh \
                            --progress -o --output --iidfile --metadata-file --builder --add-host \
                            --cpuset-cpus -m --memory --shm-size --ulimit --security-opt -v --volume",
                    ),
                ],
                operands: &[Url],
            },
            Form {
                paths: &["import", "image import", "load"],
                options: &[(Value, "-c --change -m --message -i --input")],
                operands: &[Url, Plain],
            },
            Form {
                paths: &["context create", "context update", "system connection add"],
                options: &[(At(Mentions), "--docker --kubernetes")],
                operands: &[Plain, Url],
            },
            Form {
                paths: &["compose"],
                options: &[(At(Mentions), "-f --file"), (Value, "-p --project-name --env-file --profile")],
                operands: &[Plain],
            },
            Form {
                paths: &["swarm join"],
                options: &[(Value, "--token --advertise-addr --listen-addr")],
                operands: &[Host],
            },
        ],
        ..Program::NEW
    },
    Program {
        names: &[
            "skopeo", "crane", "oras", "regctl", "buildah", "img", "cosign", "ko", "kaniko", "crictl", "ctr",
            "dive", "trivy", "grype", "syft", "cri",
        ],
        options: &[
            (At(Address), "--server --registry --insecure-registry"),
            (Value, "--authfile --creds --src-creds --dest-creds --key --username --password"),
        ],
        forms: &[Form {
            paths: &[
                "copy",
                "inspect",
                "list-tags",
                "delete",
                "sync",
                "cp",
                "pull",
                "push",
                "manifest",
                "config",
                "digest",
                "export",
                "ls",
                "tag",
                "attach",
                "discover",
                "from",
                "sign",
                "verify",
                "attest",
                "image copy",
                "image",
                "images pull",
                "image pull",
                "auth login",
                "login",
                "registry login",
                "append",
                "mutate",
                "rebase",
            ],
            operands: &[Image],
            ..Form::NEW
        }],
        ..Program::NEW
    },
    Program {
        names: &["kubectl", "oc", "k3s", "microk8s.kubectl", "kubecolor", "kustomize"],
        options: &[
            (At(Address), "-s --server --master"),
            (
                Value,
                "-n --namespace --context --kubeconfig --cluster --user --token -o --output -l \
                    --selector --field-selector --as --as-group --certificate-authority --client-key \
                    --client-certificate -c --container --request-timeout --tls-server-name --timeout \
                    -p --patch --type",
            ),
        ],
        forms: &[
            Form {
                paths: &[
                    "apply",
                    "create",
                    "replace",
                    "delete",
                    "diff",
                    "edit",
                    "patch",
                    "get",
                    "describe",
                    "set image",
                    "annotate",
                    "label",
                    "scale",
                    "wait",
                    "expose",
                    "rollout status",
                ],
                options: &[(At(Url), "-f --filename -k --kustomize"), (Nothing, "--recursive")],
                operands: &[Plain],
            },
            Form {
                paths: &["run", "debug"],
                options: &[
                    (At(Image), "--image"),
                    (Value, "--env --port --overrides --restart --target --copy-to"),
                ],
                operands: &[Plain],
            },
            Form { paths: &["build"], operands: &[Url], ..Form::NEW },
            Form { paths: &["login"], options: &[(Value, "-u -p")], operands: &[Host] },
            Form { paths: &["config set-cluster"], operands: &[Plain], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["helm", "helmfile"],
        options: &[
            (At(Address), "--repo --kube-apiserver --registry"),
            (At(Url), "-f --values --set-file"),
            (
                Value,
                "-n --namespace --kube-context --kubeconfig --set --set-string --set-json --version \
                    --timeout --username --password --ca-file --cert-file --key-file -o --output \
                    --description --post-renderer",
            ),
        ],
        forms: &[
            Form { paths: &["repo add"], operands: &[Plain, Address], ..Form::NEW },
            Form {
                paths: &[
                    "install",
                    "upgrade",
                    "template",
                    "pull",
                    "fetch",
                    "push",
                    "show",
                    "show values",
                    "show chart",
                    "show all",
                    "lint",
                    "plugin install",
                    "dependency update",
                ],
                operands: &[Url],
                ..Form::NEW
            },
            Form {
                paths: &["registry login", "registry logout"],
                options: &[(Value, "-u --username -p --password")],
                operands: &[Host],
            },
        ],
        ..Program::NEW
    },
    Program {
        names: &[
            "argocd", "flux", "istioctl", "linkerd", "kubeadm", "talosctl", "nomad", "vagrant", "packer",
            "minikube", "kind",
        ],
        options: &[
            (
                At(Address),
                "--server --repo --url -address --address --endpoints -e --nodes \
                    --control-plane-endpoint --registry-mirror --box-url",
            ),
            (Value, "-n --namespace -f --token"),
        ],
        forms: &[
            Form {
                paths: &["repo add", "box add", "cluster add", "app create", "create source git"],
                operands: &[Url],
                ..Form::NEW
            },
            Form { paths: &["login", "join"], operands: &[Host], ..Form::NEW },
        ],
        ..Program::NEW
    },
    Program {
        names: &["docker-compose", "podman-compose"],
        options: &[
            (At(Address), "-H --host"),
            (At(Mentions), "-f --file"),
            (Value, "-p --project-name --env-file --profile"),
        ],
        forms: &[Form { operands: &[Plain], ..Form::NEW }],
        ..Program::NEW
    },
];
