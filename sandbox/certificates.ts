import { webcrypto } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { DAY_MS } from '../src/domain/statistics.ts';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface CertificateAuthority {
  /** PEM of the root that signs every name of the world. */
  readonly pem: string;
  /** Certificate for a host, made on first use. */
  contextFor(host: string): Promise<SecureContext>;
}

/** A certificate authority that lives as long as the process; its key never leaves it. */
export async function createCertificateAuthority(): Promise<CertificateAuthority> {
  const root = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const leaf = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const notBefore = new Date(Date.now() - 30 * DAY_MS);
  const notAfter = new Date(Date.now() + 60 * DAY_MS);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Example Test Root, O=Example Certificates',
    notBefore,
    notAfter,
    signingAlgorithm: ALGORITHM,
    keys: root,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  const exported = await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey);
  const key = x509.PemConverter.encode(exported, 'PRIVATE KEY');
  const contexts = new Map<string, Promise<SecureContext>>();
  let serial = 2;

  async function issue(host: string): Promise<SecureContext> {
    serial += 1;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial.toString(16).padStart(4, '0'),
      subject: `CN=${host}`,
      issuer: authority.subject,
      notBefore,
      notAfter,
      signingAlgorithm: ALGORITHM,
      publicKey: leaf.publicKey,
      signingKey: root.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false),
        new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
        new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']),
      ],
    });
    return createSecureContext({ key, cert: certificate.toString('pem') });
  }

  return {
    pem: authority.toString('pem'),
    contextFor(host) {
      const known = contexts.get(host) ?? issue(host);
      contexts.set(host, known);
      return known;
    },
  };
}
