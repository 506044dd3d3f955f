import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import type { SignInChallenge } from "../../src/admin/session/schema.ts";
import { apiAsk } from "./client.ts";
import { loadCode } from "./code.ts";

const library = loadCode(() => import("@simplewebauthn/browser"));

/** Whether this page may use passkeys: the browser supports them, and the page has the address for which they are. */
export function canUsePasskeys(): boolean {
  return "PublicKeyCredential" in globalThis && isSecureContext;
}

/** Asks the person for a passkey, to sign in or to confirm; returns what is sent to the service. Throws if they refuse. */
export async function askForPasskey(path: "/session/passkey/challenge" | "/session/confirm/passkey"): Promise<object> {
  const { data } = await apiAsk<{ data: SignInChallenge }>(path);
  const { startAuthentication } = await library();
  const { challenge, rp_id: rpId, timeout_ms: timeout } = data;
  const made = await startAuthentication({ optionsJSON: { challenge, rpId, timeout, userVerification: "required" } });
  const { clientDataJSON, authenticatorData, signature, userHandle } = made.response;
  const response = {
    clientDataJSON,
    authenticatorData,
    signature,
    ...(userHandle === undefined ? {} : { userHandle }),
  };
  return { id: made.id, rawId: made.rawId, type: made.type, response };
}

/** Creates a passkey in the browser; returns what is sent to the service. */
export async function makePasskey(): Promise<object> {
  const { data } = await apiAsk<{ data: PublicKeyCredentialCreationOptionsJSON }>("/account/passkeys/challenge");
  const { startRegistration } = await library();
  const made = await startRegistration({ optionsJSON: data });
  const { clientDataJSON, attestationObject, transports } = made.response;
  const response = { clientDataJSON, attestationObject, ...(transports === undefined ? {} : { transports }) };
  return { id: made.id, rawId: made.rawId, type: made.type, response };
}

/** Whether the person closed the browser's question or let it time out. */
export function isPasskeyCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError");
}

/** Whether the device has a passkey of this account already. */
export function isPasskeyThere(error: unknown): boolean {
  return error instanceof Error && error.name === "InvalidStateError";
}
