"""The manifests of deploy/kubernetes: valid, whole, and in agreement with themselves and with the gate."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import kubernetes_validate
from manifests import KUBERNETES, built, documents, kinds

ROOT = KUBERNETES.parents[1]
HALTGATE = os.environ.get("HALTGATE_BIN", str(ROOT / "target/debug/haltgate"))

# The oldest and the newest Kubernetes that the manifests are for.
VERSIONS = ["1.29", "1.33"]

BASE = KUBERNETES / "base"
AUTOSCALING = KUBERNETES / "overlays/autoscaling"
OVERLAYS = {folder.name: folder for folder in sorted((KUBERNETES / "overlays").iterdir())}

# Whole installations: the raters stand beside the one gate.
INSTALLATIONS = {
    "base": built(BASE),
    "autoscaling": built(BASE) + built(AUTOSCALING),
    "istio": built(OVERLAYS["istio"]),
    "linkerd": built(OVERLAYS["linkerd"]),
}

# What the instructions have the reader make; its keys are the names of the files.
SECRETS = {"haltgate-tls": {"tls.crt", "tls.key"}, "haltgate-tokens": {"tokens.json"}}

# Kinds that a mesh brings, whose schemas Kubernetes does not have.
OF_MESHES = ("security.istio.io/", "networking.istio.io/", "policy.linkerd.io/")


def workloads(objects: list[dict]) -> list[dict]:
    return kinds(objects, "StatefulSet") + kinds(objects, "Deployment")


def pod(workload: dict) -> dict:
    return workload["spec"]["template"]["spec"]


def gate(workload: dict) -> dict:
    [container] = [container for container in pod(workload)["containers"] if container["name"] == "haltgate"]
    return container


def seconds(text: str) -> float:
    number, unit = re.fullmatch(r"(\d+)(ms|s|m|h)", text).groups()
    return int(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[unit]


def configuration(objects: list[dict]) -> dict:
    """The gate's configuration as the gate itself reads it."""
    [text] = [thing["data"]["haltgate.jsonc"] for thing in kinds(objects, "ConfigMap")]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "haltgate.jsonc")
        file.write_text(text)
        checked = subprocess.run(
            [HALTGATE, "check", str(file), "--effective", "--json"], capture_output=True, text=True, cwd=folder
        )
        if checked.returncode != 0:
            raise AssertionError(checked.stdout + checked.stderr)
        return json.loads(checked.stdout)["configuration"]


def of_each_installation(check):
    """A test that is made of every installation by itself."""

    @functools.wraps(check)
    def checked(self):
        for name, objects in INSTALLATIONS.items():
            with self.subTest(installation=name):
                check(self, objects)

    return checked


class Kubernetes(unittest.TestCase):
    def test_every_file_belongs_to_a_kustomization(self):
        for folder in [BASE, *OVERLAYS.values()]:
            [kustomization] = documents(folder / "kustomization.yaml")
            named = {*kustomization["resources"], *(patch["path"] for patch in kustomization.get("patches", []))}
            files = {file.name for file in folder.iterdir()} - {"kustomization.yaml", "mesh-config.yaml"}
            self.assertEqual(files, {name for name in named if not name.startswith("..")}, folder)

    @of_each_installation
    def test_every_object_is_valid_for_every_version_and_nothing_in_it_is_unknown(self, objects: list[dict]):
        own = [thing for thing in objects if not thing["apiVersion"].startswith(OF_MESHES)]
        self.assertGreater(len(own), 8)
        for thing in own:
            for version in VERSIONS:
                kubernetes_validate.validate(thing, version, strict=True)

    def test_a_mistake_would_be_found(self):
        [workload] = kinds(INSTALLATIONS["base"], "StatefulSet")
        for spoiled in [{"spec": {**workload["spec"], "replica": 1}}, {"spec": {**workload["spec"], "replicas": "x"}}]:
            with self.assertRaises(kubernetes_validate.ValidationError):
                kubernetes_validate.validate({**workload, **spoiled}, VERSIONS[0], strict=True)

    @of_each_installation
    def test_everything_is_in_the_namespace_of_the_gate_but_for_what_guards_an_mcp_server(self, objects: list[dict]):
        spaces = {thing["metadata"].get("namespace") for thing in objects if thing["kind"] != "Namespace"}
        self.assertLessEqual(spaces, {"haltgate", "mcp"})
        self.assertEqual([thing["metadata"]["name"] for thing in kinds(objects, "Namespace")], ["haltgate"])

    @of_each_installation
    def test_selectors_and_ports_find_what_they_are_for(self, objects: list[dict]):
        pods = [workload["spec"]["template"] for workload in workloads(objects)]

        def chosen(selector: dict) -> list[dict]:
            wanted = selector.get("matchLabels", selector).items()
            return [template for template in pods if wanted <= template["metadata"]["labels"].items()]

        def ports(template: dict) -> set[str]:
            return {port["name"] for container in template["spec"]["containers"] for port in container["ports"]}

        for service in kinds(objects, "Service"):
            [template] = chosen(service["spec"]["selector"])
            for port in service["spec"]["ports"]:
                self.assertIn(port["targetPort"], ports(template))
                self.assertEqual(port["appProtocol"], {"grpc": "grpc", "admin": "http"}[port["name"]])
        for workload in workloads(objects):
            self.assertEqual(len(chosen(workload["spec"]["selector"])), 1)
        for budget in kinds(objects, "PodDisruptionBudget"):
            self.assertEqual(len(chosen(budget["spec"]["selector"])), 1)
        for policy in kinds(objects, "NetworkPolicy"):
            found = chosen(policy["spec"]["podSelector"])
            self.assertTrue(found)
            for rule in policy["spec"].get("ingress", []):
                named = {port["port"] for port in rule["ports"] if isinstance(port["port"], str)}
                self.assertLessEqual(named, ports(found[0]))
        for server in kinds(objects, "Server"):
            [template] = chosen(server["spec"]["podSelector"])
            self.assertIn(server["spec"]["port"], ports(template))
        names = {(thing["kind"], thing["metadata"]["name"]) for thing in objects}
        for policy in kinds(objects, "AuthorizationPolicy"):
            references = [policy["spec"].get("targetRef"), *policy["spec"].get("requiredAuthenticationRefs", [])]
            for reference in filter(None, references):
                self.assertIn((reference["kind"], reference["name"]), names)
        for scaler in kinds(objects, "HorizontalPodAutoscaler"):
            target = scaler["spec"]["scaleTargetRef"]
            self.assertIn((target["kind"], target["name"]), names)
            [scaled] = [thing for thing in objects if thing["metadata"]["name"] == target["name"] and thing["kind"] == target["kind"]]
            self.assertNotIn("replicas", scaled["spec"], "two would set the number of replicas")
        for workload in kinds(objects, "StatefulSet"):
            self.assertIn(("Service", workload["spec"]["serviceName"]), names)

    @of_each_installation
    def test_every_volume_is_there_and_is_used(self, objects: list[dict]):
        maps = {thing["metadata"]["name"] for thing in kinds(objects, "ConfigMap")}
        accounts = {thing["metadata"]["name"] for thing in kinds(objects, "ServiceAccount")}
        for workload in workloads(objects):
            spec = pod(workload)
            self.assertIn(spec["serviceAccountName"], accounts)
            claims = {claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", [])}
            volumes = {volume["name"] for volume in spec["volumes"]} | claims
            self.assertEqual(volumes, {mount["name"] for mount in gate(workload)["volumeMounts"]})
            for volume in spec["volumes"]:
                if "configMap" in volume:
                    self.assertIn(volume["configMap"]["name"], maps)
                if "secret" in volume:
                    self.assertIn(volume["secret"]["secretName"], SECRETS)

    @of_each_installation
    def test_the_configuration_is_one_that_the_gate_takes_and_its_files_are_mounted(self, objects: list[dict]):
        settings = configuration(objects)
        for workload in workloads(objects):
            mounts = {mount["mountPath"]: mount["name"] for mount in gate(workload)["volumeMounts"]}
            secrets = {volume["name"]: volume["secret"]["secretName"] for volume in pod(workload)["volumes"] if "secret" in volume}
            tls, auth = settings["server"].get("tls", {}), settings["auth"]
            for file in [tls.get("certificate"), tls.get("key"), auth.get("tokens_file")]:
                if file is not None:
                    folder, name = os.path.split(file)
                    self.assertIn(name, SECRETS[secrets[mounts[folder]]], file)
            given = gate(workload)["args"]
            folder, name = os.path.split(given[given.index("--config") + 1])
            self.assertEqual((mounts[folder], name), ("configuration", "haltgate.jsonc"))
            if "--ephemeral" not in given:
                self.assertEqual(mounts[os.path.dirname(settings["store"]["path"])], "store")
                self.assertEqual(workload["spec"]["replicas"], 1, "an SQLite file has one gate")

    @of_each_installation
    def test_probes_and_ports_are_those_of_the_configuration(self, objects: list[dict]):
        settings = configuration(objects)
        listens = {"grpc": settings["server"]["listen"], "admin": settings["admin"]["listen"]}
        for workload in workloads(objects):
            container = gate(workload)
            for port in container["ports"]:
                address = listens[port["name"]]
                address = address[0] if isinstance(address, list) else address
                self.assertEqual(address, f"0.0.0.0:{port['containerPort']}")
            for probe, path in [("readinessProbe", "/ready"), ("livenessProbe", "/live")]:
                self.assertEqual(container[probe]["httpGet"], {"path": path, "port": "admin"})

    @of_each_installation
    def test_a_pod_is_given_the_time_that_the_gate_takes_to_leave(self, objects: list[dict]):
        server = configuration(objects)["server"]
        needed = seconds(server["lame_duck"]) + seconds(server["drain_timeout"])
        for workload in workloads(objects):
            self.assertGreaterEqual(pod(workload)["terminationGracePeriodSeconds"], needed + 10)
            probe = gate(workload)["readinessProbe"]
            # Balancers have noticed before the gate takes nothing any more.
            self.assertGreaterEqual(seconds(server["lame_duck"]), probe["periodSeconds"] * probe["failureThreshold"])

    @of_each_installation
    def test_nothing_runs_with_more_rights_than_the_restricted_profile_gives(self, objects: list[dict]):
        for workload in workloads(objects):
            spec = pod(workload)
            context = spec["securityContext"]
            self.assertIs(context["runAsNonRoot"], True)
            self.assertGreaterEqual(context["runAsUser"], 10_000)
            self.assertEqual(context["seccompProfile"], {"type": "RuntimeDefault"})
            self.assertIs(spec["automountServiceAccountToken"], False)
            for shared in ["hostNetwork", "hostPID", "hostIPC"]:
                self.assertFalse(spec.get(shared))
            for container in spec["containers"] + spec.get("initContainers", []):
                own = container["securityContext"]
                self.assertEqual(own["capabilities"], {"drop": ["ALL"]})
                self.assertIs(own["allowPrivilegeEscalation"], False)
                self.assertIs(own["readOnlyRootFilesystem"], True)
                self.assertIn("memory", container["resources"]["limits"])
                self.assertRegex(container["image"], r"^[a-z]+:\d+\.\d+\.\d+$")
            writable = {mount["name"] for mount in gate(workload)["volumeMounts"] if not mount.get("readOnly")}
            self.assertLessEqual(writable, {"store", "temporary"})
            for volume in spec["volumes"]:
                self.assertEqual(volume.get("secret", {}).get("defaultMode", 0o440), 0o440, "kept from others")

    @of_each_installation
    def test_nothing_is_reached_or_reaches_out_unless_a_policy_says_so(self, objects: list[dict]):
        policies = {policy["metadata"]["name"]: policy["spec"] for policy in kinds(objects, "NetworkPolicy")}
        self.assertEqual(policies["deny-all"], {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]})
        for name, policy in policies.items():
            for rule in policy.get("egress", []):
                self.assertTrue(rule.get("to") and rule.get("ports"), name)
            for rule in policy.get("ingress", []):
                self.assertTrue(rule["ports"], name)

    def test_the_version_of_the_image_is_that_of_the_program(self):
        version = re.search(r'^version = "(.+)"', (ROOT / "Cargo.toml").read_text(), re.M).group(1)
        [kustomization] = documents(BASE / "kustomization.yaml")
        self.assertEqual(kustomization["images"], [{"name": "haltgate", "newTag": version}])
        for objects in INSTALLATIONS.values():
            for workload in workloads(objects):
                self.assertEqual(gate(workload)["image"], f"haltgate:{version}")


class Meshes(unittest.TestCase):
    def test_a_mesh_hands_over_whole_bodies_and_refuses_where_the_gate_does_not_answer(self):
        [mesh] = documents(OVERLAYS["istio"] / "mesh-config.yaml")
        [provider] = mesh["spec"]["meshConfig"]["extensionProviders"]
        asks = provider["envoyExtAuthzGrpc"]
        self.assertIs(asks["failOpen"], False)
        body = asks["includeRequestBodyInCheck"]
        self.assertEqual((body["allowPartialMessage"], body["packAsBytes"]), (False, True))
        self.assertGreater(body["maxRequestBytes"], 1 << 20)
        guards = [policy["spec"] for policy in kinds(INSTALLATIONS["istio"], "AuthorizationPolicy") if policy["spec"].get("action") == "CUSTOM"]
        self.assertEqual([guard["provider"]["name"] for guard in guards], [provider["name"]])
        settings = configuration(INSTALLATIONS["istio"])["ext_authz"]
        self.assertIs(settings["enabled"], True)
        self.assertGreater(seconds(asks["timeout"]), seconds(settings["wait"]))
        [service] = [thing for thing in kinds(INSTALLATIONS["istio"], "Service") if thing["metadata"]["name"] == "haltgate"]
        self.assertEqual(asks["service"], "haltgate.haltgate.svc.cluster.local")
        self.assertEqual(asks["port"], service["spec"]["ports"][0]["port"])

    def test_past_a_mesh_nobody_reaches_a_gate_that_does_not_encrypt(self):
        [strict] = kinds(INSTALLATIONS["istio"], "PeerAuthentication")
        self.assertEqual(strict["spec"]["mtls"], {"mode": "STRICT"})
        self.assertEqual(set(strict["spec"]["portLevelMtls"]), {7558})
        [workload] = workloads(INSTALLATIONS["linkerd"])
        annotations = workload["spec"]["template"]["metadata"]["annotations"]
        self.assertEqual(annotations["config.linkerd.io/default-inbound-policy"], "deny")
        [grpc] = [policy["spec"] for policy in kinds(INSTALLATIONS["linkerd"], "AuthorizationPolicy") if policy["metadata"]["name"] == "haltgate-grpc"]
        self.assertEqual([reference["kind"] for reference in grpc["requiredAuthenticationRefs"]], ["MeshTLSAuthentication"])


if __name__ == "__main__":
    unittest.main()
