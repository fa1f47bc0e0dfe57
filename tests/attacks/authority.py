"""Certificates made for a test, and servers on the loopback that show them."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Thread

import pytest

pytest.importorskip("scrapy")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """Issues certificates; its own is written to `path`, for whoever wants to trust it."""

    def __init__(self, folder: Path) -> None:
        """Make the authority's own certificate."""
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("An authority of a test")
        authority = x509.BasicConstraints(ca=True, path_length=None)
        self._own = _builder(self._name, self._name, self._key).add_extension(authority, critical=True)
        self.path = folder / "authority.pem"
        self.path.write_bytes(_pem(self._own.sign(self._key, hashes.SHA256())))

    def issue(self, host: str, *, ended: bool = False, self_signed: bool = False) -> ssl.SSLContext:
        """Return what a server needs that shows a certificate for a host."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = _name(host)
        builder = _builder(subject, subject if self_signed else self._name, key, ended=ended)
        is_address = host.replace(".", "").isdecimal()
        names = x509.IPAddress(ip_address(host)) if is_address else x509.DNSName(host)
        certificate = builder.add_extension(x509.SubjectAlternativeName([names]), critical=False)
        file = self._folder / f"{host}-{ended}-{self_signed}.pem"
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file.write_bytes(_pem(certificate.sign(key if self_signed else self._key, hashes.SHA256())) + private)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, *, ended: bool = False
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    end = now - timedelta(days=1) if ended else now + timedelta(days=1)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(end)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<p>a page")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Write nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are what is tested."""


@contextmanager
def serving(context: ssl.SSLContext) -> Iterator[int]:
    """Serve a page over TLS, and give the port."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
