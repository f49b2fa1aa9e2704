from haltgate.v1 import decision_pb2 as _decision_pb2
from haltgate.v1 import grants_pb2 as _grants_pb2
from haltgate.v1 import human_pb2 as _human_pb2
from haltgate.v1 import rating_pb2 as _rating_pb2
from haltgate.v1 import records_pb2 as _records_pb2
from haltgate.v1 import server_pb2 as _server_pb2
from haltgate.v1 import sessions_pb2 as _sessions_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor
