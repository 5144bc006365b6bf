# ===- gin.py - programs that ginc built, for Python ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Calls what `ginc build --shared` wrote, through ctypes. One file, to copy.

    library = gin.build("all-to-all.mlir", "build", arch="host")
    comms = library.communicators(4)                    # cuda=True: on GPUs
    windows = [(comm.window(x[comm.rank]), comm.window(y[comm.rank])) for comm in comms]
    programs = [library.program(comm, x=x_window, y=y_window) for comm, (x_window, y_window) ...]
    for program, (x_window, y_window) in zip(programs, windows):
        program.launch(x=x_window, y=y_window)
    for comm in comms:
        comm.synchronize()

An array is a PyTorch tensor, a NumPy array, or anything with __cuda_array_interface__;
its memory must be contiguous, and stay while launched work uses it. Collective calls
(window, program) are made for every rank, in the same order. Errors are exceptions of
class gin.Error, of kernels too: synchronize() raises them.

A library has a runtime of its own: its communicators and windows are of use to its
program alone.
"""

import ctypes
import json
import subprocess
import weakref
from pathlib import Path

RIGHT_READ, RIGHT_WRITE, RIGHT_ATOMIC, RIGHT_ALL = 1, 2, 4, 7

_SCALARS = {
    "index": ctypes.c_int64, "i64": ctypes.c_int64, "i32": ctypes.c_int32,
    "i16": ctypes.c_int16, "i8": ctypes.c_int8, "i1": ctypes.c_int,
    "f64": ctypes.c_double, "f32": ctypes.c_float, "f16": ctypes.c_uint16, "bf16": ctypes.c_uint16,
    "f8E4M3FN": ctypes.c_uint8, "f8E5M2": ctypes.c_uint8,
}  # fmt: skip
_BYTES = {"index": 8, "i64": 8, "f64": 8, "i32": 4, "f32": 4, "i16": 2, "f16": 2, "bf16": 2}


class Error(RuntimeError):
    """What a call of gin.h, or a kernel, went wrong with; `name` as in gin.h."""

    def __init__(self, name, message):
        super().__init__(f"{name}: {message}")
        self.name = name


class _AsyncError(ctypes.Structure):  # ginError_t
    _fields_ = [
        ("result", ctypes.c_int), ("rank", ctypes.c_int), ("peer", ctypes.c_int),
        ("block", ctypes.c_uint), ("thread", ctypes.c_uint), ("bank", ctypes.c_uint),
        ("slot", ctypes.c_uint64), ("have", ctypes.c_uint64), ("want", ctypes.c_uint64),
        ("launch", ctypes.c_uint64), ("operation", ctypes.c_char * 96),
        ("file", ctypes.c_char * 160), ("line", ctypes.c_int),
        ("message", ctypes.c_char * 512),
    ]  # fmt: skip


def build(source, folder, arch="sm_90a", ginc="ginc", options=()):
    """Runs `ginc build` and loads what it wrote. `arch` is "host" for threads of the CPU."""
    command = [ginc, "build", source, "-o", folder, "--shared", "--arch", arch, *options]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise Error("ginc build", done.stderr.strip())
    library = next(line for line in done.stdout.splitlines() if line.endswith(".so"))
    return Library(library)


def _place(array):
    """The address, shape and bytes of an array."""
    if hasattr(array, "data_ptr"):  # PyTorch, whose bf16 is no type of NumPy
        if not array.is_contiguous():
            raise ValueError("a tensor must be contiguous")
        return array.data_ptr(), tuple(array.shape), array.nelement() * array.element_size()
    if hasattr(array, "__cuda_array_interface__"):
        interface = array.__cuda_array_interface__
    else:
        interface = array.__array_interface__
    if interface.get("strides") is not None:
        raise ValueError("an array must be contiguous, in the order of C")
    count = int(interface["typestr"][2:])
    for extent in interface["shape"]:
        count *= extent
    return interface["data"][0], tuple(interface["shape"]), count


class Library:
    """libNAME.so, with NAME.json beside it."""

    def __init__(self, path):
        path = Path(path)
        self.name = path.stem.removeprefix("lib")
        self.requirements = json.loads((path.parent / f"{self.name}.json").read_text())
        self._functions = ctypes.CDLL(str(path.resolve()))
        for function in ("ginResultName", "ginResultText", "ginResultAdvice", "ginGetLastError"):
            getattr(self._functions, function).restype = ctypes.c_char_p
        fields = []
        for argument in self.requirements["arguments"]:
            kind = argument["kind"]
            scalar = _SCALARS[argument["type"]] if kind == "scalar" else None
            fields.append((argument["name"], scalar or ctypes.c_void_p))
            if kind != "scalar":
                fields += [(e, ctypes.c_int64) for e in argument["shape"] if not e.isdigit()]
        self._arguments = type("Arguments", (ctypes.Structure,), {"_fields_": fields})

    def communicators(self, ranks, cuda=False, devices=None):
        """One for each rank: on GPUs, rank i on device i or devices[i], or on threads."""
        handles = (ctypes.c_void_p * ranks)()
        if cuda:
            chosen = (ctypes.c_int * ranks)(*devices) if devices is not None else None
            self._call("ginCommCreateAll", chosen, ctypes.c_int(ranks), handles)
        else:
            self._call("ginCommCreateAllHost", ctypes.c_int(ranks), handles)
        return [Communicator(self, handle, rank, ranks) for rank, handle in enumerate(handles)]

    def program(self, comm, **arguments):
        """Collective. The sizes of `arguments` are those of all launches."""
        return Program(self, comm, arguments)

    def _call(self, function, *arguments):
        self._check(function, lambda: getattr(self._functions, function)(*arguments))

    def _check(self, function, call):
        before = self._functions.ginGetLastError()
        result = call()
        if result != 0:
            name, text, advice = (
                getattr(self._functions, f"ginResult{what}")(result).decode()
                for what in ("Name", "Text", "Advice")
            )
            # A launcher's own errors have no detail: then this is an earlier call's.
            detail = self._functions.ginGetLastError()
            detail = detail.decode() if detail != before else ""
            raise Error(name, "; ".join(filter(None, (f"{function}: {text}", detail, advice))))

    def _pack(self, arguments):
        """The structure of arguments, by the shapes of arrays."""
        structure = self._arguments()
        given = dict(arguments)
        for argument in self.requirements["arguments"]:
            name, value = argument["name"], given.pop(argument["name"], None)
            if value is None:
                raise TypeError(f"{self.name} needs an argument {name}")
            if argument["kind"] == "scalar":
                setattr(structure, name, value)
                continue
            if isinstance(value, Window) != (argument["kind"] == "window"):
                raise TypeError(f"{name} must be of the kind {argument['kind']}")
            if isinstance(value, Window):
                pointer, shape, size = value._handle, value.shape, value.bytes
            else:
                pointer, shape, size = _place(value)
            wanted = argument["shape"]
            count = _BYTES.get(argument["type"], 1)
            for extent in shape:
                count *= extent
            if len(shape) != len(wanted) or size != count or any(
                w.isdigit() and int(w) != extent for w, extent in zip(wanted, shape)
            ):
                raise TypeError(f"{name} must be {'x'.join(wanted)}x{argument['type']}; "
                                f"its shape is {shape}, of {size} bytes")  # fmt: skip
            setattr(structure, name, pointer)
            for extent_name, extent in zip(wanted, shape):
                if not extent_name.isdigit():
                    setattr(structure, extent_name, extent)
        if given:
            raise TypeError(f"{self.name} has no argument {', '.join(given)}")
        return structure


class _Handle:
    """What gin.h makes; destroyed with this object, and before `owner` is."""

    def __init__(self, library, handle, destroy, owner=None):
        self.library, self._handle = library, ctypes.c_void_p(handle)
        function = getattr(library._functions, destroy)
        self._function = destroy
        self._finalizer = weakref.finalize(self, _destroy, function, self._handle, owner)

    def close(self):
        """Destroys it now. What was launched must have ended. That of the last rank's program
        raises an error if signals were sent that nobody waited for."""
        self.library._check(self._function, lambda: self._finalizer() or 0)


def _destroy(function, handle, owner):
    return function(handle)


class Communicator(_Handle):
    def __init__(self, library, handle, rank, size):
        super().__init__(library, handle, "ginCommDestroy")
        self.rank, self.size = rank, size

    def window(self, array, rights=RIGHT_ALL):
        """Collective. Registers the memory of an array, which other ranks may then access."""
        return Window(self, array, rights)

    def synchronize(self):
        """Waits for all that was launched on this rank; raises the error of a kernel."""
        if self.library._functions.ginCommSynchronize(self._handle) != 0:
            error = _AsyncError()
            result = self.library._functions.ginCommGetAsyncError(self._handle, ctypes.byref(error))
            if result != 0:
                name = self.library._functions.ginResultName(result).decode()
                raise Error(name, error.message.decode())
            self.library._call("ginCommSynchronize", self._handle)

    def abort(self):
        """Makes every wait of every rank return, now and in later launches."""
        self.library._call("ginCommAbort", self._handle)


class Window(_Handle):
    def __init__(self, comm, array, rights):
        self.array = array  # so that its memory stays
        pointer, self.shape, self.bytes = _place(array)
        handle = ctypes.c_void_p()
        comm.library._call("ginWindowRegister", comm._handle, ctypes.c_void_p(pointer),
                           ctypes.c_size_t(self.bytes), ctypes.c_uint(rights),
                           ctypes.byref(handle))  # fmt: skip
        super().__init__(comm.library, handle.value, "ginWindowDestroy", comm)


class Program(_Handle):
    def __init__(self, library, comm, arguments):
        handle = ctypes.c_void_p()
        structure = library._pack(arguments)
        library._call(f"{library.name}_create", comm._handle, ctypes.byref(structure),
                      ctypes.byref(handle))  # fmt: skip
        super().__init__(library, handle.value, f"{library.name}_destroy", comm)

    def launch(self, blocks=0, stream=None, **arguments):
        """Launches the kernel, in the CUDA stream whose address is `stream`, by at most
        `blocks` blocks. Does not wait."""
        structure = self.library._pack(arguments)
        self._arguments = arguments  # so that their memory stays
        self.library._call(f"{self.library.name}_launch", self._handle,
                           ctypes.byref(structure), ctypes.c_uint(blocks),
                           ctypes.c_void_p(stream))  # fmt: skip
