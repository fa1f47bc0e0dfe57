"""Certificates of sites, verified against the platform's trust store, and what is wrong with those that fail."""

from typing import Any

from OpenSSL import SSL, crypto
from service_identity import VerificationError
from service_identity.hazmat import DNS_ID, IPAddress_ID, verify_service_identity
from service_identity.pyopenssl import extract_patterns
from twisted.internet.abstract import isIPAddress, isIPv6Address
from twisted.internet.interfaces import IOpenSSLClientConnectionCreator
from twisted.internet.ssl import CertificateOptions, platformTrust
from twisted.python.failure import Failure
from twisted.web.iweb import IPolicyForHTTPS
from zope.interface import implementer

from broadsheet.base.manners import Manners

_VERIFY = SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT
#: Some old servers renegotiate in the way that was common before 2010.
_LEGACY_SERVER_CONNECT = 0x4
#: OpenSSL's codes for what may be wrong with a certificate.
_WORDS = {
    2: "whoever issued it is not known",
    7: "its signature is wrong",
    9: "it is not valid yet",
    10: "it has expired",
    18: "it is self-signed",
    19: "a self-signed certificate that is not trusted issued it",
    20: "whoever issued it is not known",
    21: "whoever issued it is not known",
    23: "it was revoked",
    24: "whoever issued it may not issue any",
    66: "its key is too weak",
    67: "the key of whoever issued it is too weak",
    68: "its signature is too weak",
}


class Untrusted(Exception):  # noqa: N818 - it says what is wrong
    """A certificate does not prove that the server is the one that was asked."""


@implementer(IPolicyForHTTPS)
class Certificates:
    """Verifies the certificate of every host, unless the manners say that it is not to be."""

    def __init__(self, manners: Manners) -> None:
        """Read the trust store once: it takes as long as reading a page."""
        self._manners = manners
        self._verifying = CertificateOptions(trustRoot=platformTrust(), fixBrokenPeers=True)  # type: ignore[no-untyped-call]
        self._trusting = CertificateOptions(verify=False, fixBrokenPeers=True)
        for options in (self._verifying, self._trusting):
            options.getContext().set_options(_LEGACY_SERVER_CONNECT)

    def creatorForNetloc(self, hostname: bytes, port: int) -> "_Connections":  # noqa: N802 - Twisted names it so
        """Return what makes the connections to a host."""
        del port
        host = hostname.decode("ascii")
        verifies = self._manners.verifies(host)
        return _Connections(self._verifying if verifies else self._trusting, host, verifies=verifies)


@implementer(IOpenSSLClientConnectionCreator)
class _Connections:
    """Makes TLS connections to one host."""

    def __init__(self, options: CertificateOptions, host: str, *, verifies: bool) -> None:
        self._options = options
        self._host = host
        self._verifies = verifies
        self._is_address = isIPAddress(host) or isIPv6Address(host)

    def clientConnectionForTLS(self, tlsProtocol: Any) -> SSL.Connection:  # noqa: ANN401, N802, N803 - Twisted names it so
        """Return a connection that fails where the certificate does."""
        connection = self._options.clientConnectionForTLS(tlsProtocol)
        # The names of hosts alone are sent, as the specification has it.
        if not self._is_address:
            connection.set_tlsext_host_name(self._host.encode("ascii"))
        if self._verifies:
            connection.set_verify(_VERIFY, self._verifier(tlsProtocol))
        return connection

    def _verifier(self, protocol: Any) -> Any:  # noqa: ANN401
        # A name that Twisted knows only in ASCII is one to the certificate too.
        identity = IPAddress_ID(self._host) if self._is_address else DNS_ID(self._host)

        def verify(connection: SSL.Connection, certificate: crypto.X509, code: int, depth: int, ok: int) -> bool:
            del connection
            reason = "" if ok else _words(code)
            if ok and depth == 0:
                try:
                    verify_service_identity(extract_patterns(certificate), [identity], [])
                except VerificationError:
                    reason = "it is for another host"
                except Exception as unread:  # noqa: BLE001 - raised in OpenSSL it would be lost, and the host believed
                    reason = f"it cannot be read ({type(unread).__name__})"
            if reason:
                error = Untrusted(f"the certificate of {self._host} is not valid: {reason}")
                protocol.failVerification(Failure(error))  # type: ignore[no-untyped-call]
            return not reason

        return verify


def _words(code: int) -> str:
    return _WORDS.get(code, f"OpenSSL's error {code}")
