"""Verify TLS certificates against the platform's trust store, and describe what is wrong with those that fail."""

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
#: Some old servers still use the insecure renegotiation that was common before 2010.
_LEGACY_SERVER_CONNECT = 0x4
#: Descriptions of OpenSSL's verification error codes.
_DESCRIPTIONS = {
    2: "its issuer is unknown",
    7: "its signature is invalid",
    9: "it is not valid yet",
    10: "it has expired",
    18: "it is self-signed",
    19: "its chain ends in a self-signed certificate that is not trusted",
    20: "its issuer is unknown",
    21: "its issuer is unknown",
    23: "it has been revoked",
    24: "its issuer is not allowed to issue certificates",
    66: "its key is too weak",
    67: "the key of its issuer is too weak",
    68: "its signature is too weak",
}


class UntrustedCertificate(Exception):  # noqa: N818 - named after what is wrong
    """A certificate does not prove the identity of the server."""


@implementer(IPolicyForHTTPS)
class Certificates:
    """Verify the certificate of every host, except those that the manners exempt."""

    def __init__(self, manners: Manners) -> None:
        """Load the trust store once: that takes as long as reading a page."""
        self._manners = manners
        self._verified = CertificateOptions(trustRoot=platformTrust(), fixBrokenPeers=True)  # type: ignore[no-untyped-call]
        self._unverified = CertificateOptions(verify=False, fixBrokenPeers=True)
        for options in (self._verified, self._unverified):
            options.getContext().set_options(_LEGACY_SERVER_CONNECT)

    def creatorForNetloc(self, hostname: bytes, port: int) -> "_ConnectionCreator":  # noqa: N802 - Twisted's name
        """Return the connection creator for a host."""
        del port
        host = hostname.decode("ascii")
        verifies = self._manners.verifies(host)
        return _ConnectionCreator(self._verified if verifies else self._unverified, host, verifies=verifies)


@implementer(IOpenSSLClientConnectionCreator)
class _ConnectionCreator:
    """Create TLS connections to one host."""

    def __init__(self, options: CertificateOptions, host: str, *, verifies: bool) -> None:
        self._options = options
        self._host = host
        self._verifies = verifies
        self._is_address = isIPAddress(host) or isIPv6Address(host)

    def clientConnectionForTLS(self, tlsProtocol: Any) -> SSL.Connection:  # noqa: ANN401, N802, N803 - Twisted's name
        """Return a connection that fails if the certificate is not valid."""
        connection = self._options.clientConnectionForTLS(tlsProtocol)
        # RFC 6066: server name indication is for host names, not for IP addresses.
        if not self._is_address:
            connection.set_tlsext_host_name(self._host.encode("ascii"))
        if self._verifies:
            connection.set_verify(_VERIFY, self._verifier(tlsProtocol))
        return connection

    def _verifier(self, protocol: Any) -> Any:  # noqa: ANN401
        # Twisted gives the ASCII form of an internationalised name, which is also the form in certificates.
        identity = IPAddress_ID(self._host) if self._is_address else DNS_ID(self._host)

        def verify(connection: SSL.Connection, certificate: crypto.X509, code: int, depth: int, ok: int) -> bool:
            del connection
            reason = "" if ok else _describe(code)
            if ok and depth == 0:
                try:
                    verify_service_identity(extract_patterns(certificate), [identity], [])
                except VerificationError:
                    reason = "it is for another host"
                except Exception as unreadable:  # noqa: BLE001 - raised inside OpenSSL, it would be lost and the host trusted
                    reason = f"it cannot be read ({type(unreadable).__name__})"
            if reason:
                error = UntrustedCertificate(f"the certificate of {self._host} is not valid: {reason}")
                protocol.failVerification(Failure(error))  # type: ignore[no-untyped-call]
            return not reason

        return verify


def _describe(code: int) -> str:
    return _DESCRIPTIONS.get(code, f"OpenSSL error {code}")
