import type { Deps } from "../deps.ts";
import type { StoredAnswer } from "./idempotency.ts";

/** What no JSON text begins with. */
export const SEALED = "sealed:";

/** A response with a secret, as it is stored: it cannot be read without the service's key. */
export function sealAnswer({ secretBox }: Pick<Deps, "secretBox">, answer: StoredAnswer): StoredAnswer {
  return { ...answer, body: `${SEALED}${secretBox.seal(answer.body).toString("base64")}` };
}

/** A stored answer as it is sent. Throws where the service's key is another one by now. */
export function openAnswer({ secretBox }: Pick<Deps, "secretBox">, answer: StoredAnswer): StoredAnswer {
  if (!answer.body.startsWith(SEALED)) return answer;
  return { ...answer, body: secretBox.open(Buffer.from(answer.body.slice(SEALED.length), "base64")) };
}
