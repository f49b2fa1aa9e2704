"""The manifests of deploy/kubernetes, as kustomize puts them together.

Promises every object of a base or overlay with its patches applied, and an error for what kustomize would not find. Knows nothing
of what the objects mean.
"""

from __future__ import annotations

import copy
from pathlib import Path

import yaml

KUBERNETES = Path(__file__).resolve().parents[2] / "deploy" / "kubernetes"

# By which member the items of a list are told apart when a patch is laid over it.
KEYS = {"containers": "name", "volumes": "name", "volumeMounts": "mountPath", "ports": "containerPort", "env": "name"}

KNOWN = {"apiVersion", "kind", "labels", "resources", "images", "patches"}


class UniqueKeys(yaml.SafeLoader):
    """A reader that refuses a key which stands in a mapping twice."""


def _mapping(loader: UniqueKeys, node: yaml.MappingNode) -> dict:
    keys = [loader.construct_object(key) for key, _ in node.value]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise ValueError(f"{node.start_mark}: {twice} stands there twice")
    return {key: loader.construct_object(value, deep=True) for key, (_, value) in zip(keys, node.value)}


UniqueKeys.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def documents(file: Path) -> list[dict]:
    return [document for document in yaml.load_all(file.read_text(), UniqueKeys) if document is not None]


def identity(thing: dict) -> tuple[str, str, str]:
    return thing["kind"], thing["metadata"].get("namespace", ""), thing["metadata"]["name"]


def lay(base: object, patch: object, key: str = "") -> object:
    """Lays a strategic merge patch over a value."""
    if isinstance(base, dict) and isinstance(patch, dict):
        merged = dict(base)
        for name, value in patch.items():
            merged[name] = lay(merged.get(name), value, name)
        return merged
    if isinstance(base, list) and isinstance(patch, list) and key in KEYS:
        merged = list(base)
        for item in patch:
            name = item[KEYS[key]]
            found = [index for index, have in enumerate(merged) if have[KEYS[key]] == name]
            if item.get("$patch") == "delete":
                if not found:
                    raise ValueError(f"a patch takes {name} out of {key}, where it is not")
                del merged[found[0]]
            elif found:
                merged[found[0]] = lay(merged[found[0]], item)
            else:
                merged.append(item)
        return merged
    return copy.deepcopy(patch)


def built(folder: Path) -> list[dict]:
    """Every object of a base or overlay."""
    [kustomization] = documents(folder / "kustomization.yaml")
    unknown = set(kustomization) - KNOWN
    if unknown:
        raise ValueError(f"{folder}: this reader does not know {unknown}")
    objects: list[dict] = []
    for resource in kustomization["resources"]:
        path = folder / resource
        objects += built(path.resolve()) if path.is_dir() else documents(path)
    for patch in kustomization.get("patches", []):
        for change in documents(folder / patch["path"]):
            matches = [index for index, thing in enumerate(objects) if identity(thing) == identity(change)]
            # A namespace has none of its own.
            if len(matches) != 1:
                raise ValueError(f"{folder / patch['path']}: changes {len(matches)} objects")
            objects[matches[0]] = lay(objects[matches[0]], change)
    names = [identity(thing) for thing in objects]
    if len(set(names)) != len(names):
        raise ValueError(f"{folder}: an object stands there twice")
    return objects


def kinds(objects: list[dict], kind: str) -> list[dict]:
    return [thing for thing in objects if thing["kind"] == kind]
