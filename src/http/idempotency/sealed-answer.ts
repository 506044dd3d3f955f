import type { Deps } from "../../deps.ts";
import type { StoredAnswer } from "./idempotency.ts";

/** A prefix with which no JSON text begins. */
export const SEALED = "sealed:";

/** Returns a response with a secret as it is stored: it cannot be read without the service's key. */
export function sealAnswer({ secretBox }: Pick<Deps, "secretBox">, answer: StoredAnswer): StoredAnswer {
  return { ...answer, body: `${SEALED}${secretBox.seal(answer.body).toString("base64")}` };
}

/** Returns a stored answer as it is sent. Throws if the service now has another key. */
export function openAnswer({ secretBox }: Pick<Deps, "secretBox">, answer: StoredAnswer): StoredAnswer {
  if (!answer.body.startsWith(SEALED)) return answer;
  return { ...answer, body: secretBox.open(Buffer.from(answer.body.slice(SEALED.length), "base64")) };
}
