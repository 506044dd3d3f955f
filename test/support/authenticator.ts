import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { PasskeyAnswer, PasskeyMade } from "../../src/staff/passkeys/passkey-answer.ts";

/** Deliberate errors of an authenticator. */
export interface Oddities {
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether it verified its user. */
  readonly isVerified?: boolean;
  readonly type?: string;
  /** Signs other data. */
  readonly isForged?: boolean;
}

/** A test's authenticator with one passkey: ES256, no attestation. Browser tests use Chromium's. */
export interface Authenticator {
  readonly id: string;
  /** The counter of its next signature; 0: it does not count. */
  counter: number;
  make(challenge: string, oddities?: Oddities): PasskeyMade;
  answer(challenge: string, oddities?: Oddities): PasskeyAnswer;
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

export function createAuthenticator({
  origin,
  rpId,
}: {
  readonly origin: string;
  readonly rpId: string;
}): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  const encoded = (bytes: Buffer) => bytes.toString("base64url");

  function clientData(type: string, challenge: string, oddities: Oddities): Buffer {
    return Buffer.from(
      JSON.stringify({ type: oddities.type ?? type, challenge, origin: oddities.origin ?? origin, crossOrigin: false }),
    );
  }
  function authData(oddities: Oddities, credential: Buffer): Buffer {
    const flags =
      USER_PRESENT | (oddities.isVerified === false ? 0 : USER_VERIFIED) | (credential.length > 0 ? HAS_CREDENTIAL : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(made.counter);
    const hash = createHash("sha256")
      .update(oddities.rpId ?? rpId)
      .digest();
    return Buffer.concat([hash, Buffer.of(flags), count, credential]);
  }
  const made: Authenticator = {
    id: encoded(id),
    counter: 0,
    make(challenge, oddities = {}) {
      const cose = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ]);
      const data = authData(oddities, Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, cose]));
      const attestation = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746159", "hex"),
        Buffer.of(data.length >> 8, data.length & 255),
        data,
      ]);
      const response = {
        clientDataJSON: encoded(clientData("webauthn.create", challenge, oddities)),
        attestationObject: encoded(attestation),
      };
      return { id: encoded(id), rawId: encoded(id), type: "public-key", response };
    },
    answer(challenge, oddities = {}) {
      const client = clientData("webauthn.get", challenge, oddities);
      const data = authData(oddities, Buffer.alloc(0));
      const hash = createHash("sha256").update(client).digest();
      const signed = oddities.isForged === true ? randomBytes(32) : Buffer.concat([data, hash]);
      const response = {
        clientDataJSON: encoded(client),
        authenticatorData: encoded(data),
        signature: encoded(sign("sha256", signed, privateKey)),
      };
      return { id: encoded(id), rawId: encoded(id), type: "public-key", response };
    },
  };
  return made;
}
