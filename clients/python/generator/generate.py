"""Makes the Python code of the contract.

Promises the messages and the service of haltgate.v1 as modules inside the package (the folders of proto/ are those of
the package, so that their imports are right as they come), one module with all of them, and the closed vocabularies as
enums with their comments. Knows nothing of how the client uses them.

usage: generate.py PROTO_FOLDER OUTPUT_FOLDER
"""

from __future__ import annotations

import sys
import tempfile
import textwrap
from importlib import resources
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    EnumDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)
from grpc_tools import protoc

SERVICE = "haltgate/v1/approval_gate.proto"

VOCABULARY_HEAD = '''"""The closed vocabularies of the contract. Made by ./generate: do not edit."""

from ._vocabulary import Vocabulary

'''


def main(proto: Path, output: Path) -> None:
    files = sorted(path.relative_to(proto).as_posix() for path in proto.glob("haltgate/v1/*.proto"))
    with tempfile.TemporaryDirectory() as scratch:
        described = Path(scratch, "described")
        common = ["protoc", f"--proto_path={proto}", f"--proto_path={resources.files('grpc_tools') / '_proto'}"]
        compile_with(
            [
                *common,
                f"--python_out={scratch}",
                f"--pyi_out={scratch}",
                "--include_source_info",
                f"--descriptor_set_out={described}",
                *files,
            ]
        )
        compile_with([*common, f"--grpc_python_out={scratch}", SERVICE])
        descriptors = FileDescriptorSet.FromString(described.read_bytes())
        Path(scratch, "haltgate/v1").rename(output / "v1")
    for stub in (output / "v1").glob("*.pyi"):
        import_what_is_used(stub)
    (output / "v1/__init__.py").write_text(every_message(descriptors), encoding="utf-8")
    (output / "vocabulary.py").write_text(vocabulary(descriptors), encoding="utf-8")


def compile_with(arguments: list[str]) -> None:
    status = protoc.main(arguments)
    if status != 0:
        sys.exit(status)


def import_what_is_used(stub: Path) -> None:
    """Mend a stub that names datetime without importing it, as this generator writes it."""
    text = stub.read_text(encoding="utf-8")
    if "datetime.datetime" in text and "import datetime" not in text:
        stub.write_text(f"import datetime\n\n{text}", encoding="utf-8")


def every_message(descriptors: FileDescriptorSet) -> str:
    """One module with all messages and enums, so that nobody must know which file holds which."""
    imports = []
    for file in descriptors.file:
        module = Path(file.name).stem + "_pb2"
        names = sorted(item.name for item in (*file.message_type, *file.enum_type))
        if names:
            lines = "".join(f"    {name} as {name},\n" for name in names)
            imports.append(f"from .{module} import (\n{lines})\n")
    return '"""The messages of haltgate.v1. Made by ./generate: do not edit."""\n\n' + "".join(sorted(imports))


def vocabulary(descriptors: FileDescriptorSet) -> str:
    enums = [
        (enum, comments(file, position)) for file in descriptors.file for position, enum in enumerate(file.enum_type)
    ]
    enums.sort(key=lambda pair: pair[0].name)
    classes = [rendered(enum, said) for enum, said in enums]
    exported = "".join(f'    "{enum.name}",\n' for enum, _ in enums)
    return VOCABULARY_HEAD + f"__all__ = [\n{exported}]\n" + "".join(classes)


def comments(file: FileDescriptorProto, enum: int) -> dict[int | None, str]:
    """What the contract says of an enum (under None) and of its values, by their position."""
    said: dict[int | None, str] = {}
    for location in file.source_code_info.location:
        match list(location.path):
            case [5, position] if position == enum:
                said[None] = location.leading_comments
            case [5, position, 2, value] if position == enum:
                said[value] = location.leading_comments
    return said


def rendered(enum: EnumDescriptorProto, said: dict[int | None, str]) -> str:
    prefix = enum.value[0].name.removesuffix("UNSPECIFIED")
    lines = [f"\n\nclass {enum.name}(Vocabulary):", *docstring(said[None], prefix)]
    for position, value in enumerate(enum.value):
        # What is unspecified is no value: where it may be, the client says None.
        if value.number == 0:
            continue
        name = value.name.removeprefix(prefix)
        lines += ["", f'    {name} = "{name}", {value.number}', *docstring(said[position], prefix)]
    return "\n".join(lines) + "\n"


def docstring(comment: str, prefix: str) -> list[str]:
    text = []
    in_example = False
    for line in comment.splitlines():
        line = line.strip()
        if line.startswith("```"):
            in_example = not in_example
        elif not in_example:
            text.append(line)
    plain = " ".join(text).replace(prefix, "").strip()
    wrapped = textwrap.wrap(plain, width=96, break_long_words=False, break_on_hyphens=False)
    if len(wrapped) == 1 and len(wrapped[0]) < 90:
        return [f'    """{wrapped[0]}"""']
    return [f'    """{wrapped[0]}', *(f"    {line}" for line in wrapped[1:]), '    """']


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
