import { stat } from "node:fs/promises";
import { resealAlertWebhook } from "../alerts/reseal-alert-webhook.ts";
import { resetAlertWebhook } from "../alerts/reset-alert-webhook.ts";
import { recordAction } from "../audit/record-action.ts";
import { resealApiSecretKeys } from "../credentials/reseal-api-secret-keys.ts";
import { resealStorefrontKeys } from "../credentials/reseal-storefront-keys.ts";
import { resetApiSecretKey } from "../credentials/reset-api-secret-key.ts";
import { resetStorefrontKeys } from "../credentials/reset-storefront-keys.ts";
import { createSecretBox } from "../credentials/secret-box.ts";
import {
  missingKeyText,
  newSecretKey,
  readSecretKeys,
  secretKeyPath,
  writeSecretKeys,
} from "../credentials/secret-key-file.ts";
import type { Deps } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import { countSealedAnswers, deleteSealedAnswers } from "../http/idempotency/delete-sealed-answers.ts";
import { resealAnswers } from "../http/idempotency/reseal-answers.ts";
import { resealLedgerKey } from "../ledger/key/reseal-ledger-key.ts";
import { resetLedgerKey } from "../ledger/key/reset-ledger-key.ts";
import { resealMails } from "../mail/reseal-mails.ts";
import { resealLinkKey } from "../messages/reseal-link-key.ts";
import { resetLinkKey } from "../messages/reset-link-key.ts";
import { resealSetupCode } from "../staff/reseal-setup-code.ts";
import { resealTotp } from "../staff/second-factor/reseal-totp.ts";
import { resetTotp } from "../staff/second-factor/reset-totp.ts";
import type { OpenDatabase } from "../start/open-database.ts";
import { resealSubscriptionSecrets } from "../webhooks/subscriptions/reseal-subscription-secrets.ts";
import { resetSubscriptionSecrets } from "../webhooks/subscriptions/reset-subscription-secrets.ts";
import type { Given } from "./command-line.ts";
import { print } from "./output.ts";
import { withDeps } from "./with-deps.ts";

/** The functions that encrypt everything under the secret key again, one per owner; each returns how many values another key had sealed. */
const RESEAL: readonly ((deps: Deps) => Promise<number>)[] = [
  resealApiSecretKeys,
  resealStorefrontKeys,
  resealSubscriptionSecrets,
  resealTotp,
  resealSetupCode,
  resealAnswers,
  resealMails,
  resealAlertWebhook,
  resealLinkKey,
  resealLedgerKey,
];

/** By then a running service, which reads the key file before it seals, has committed what it sealed with the older key. */
const SETTLED_MS = 60_000;

/** `pointkeeper secrets rotate | reset [--confirm]`: replaces the secret key, or a lost one. */
export async function secrets(given: Given): Promise<number> {
  return withDeps(async (deps, database) => {
    if (given.action === "rotate") return say(given, await rotate(deps, database));
    const lost = await listLost(deps);
    if (lost.length === 0) return say(given, ["Nothing is lost: the secret key decrypts every stored secret."]);
    if (given.options.has("confirm")) return say(given, await reset(deps, database));
    const what = "The secret key does not decrypt the stored secrets. These would be replaced and cannot be recovered:";
    const text = [what, ...lost, "To replace them, run: pointkeeper secrets reset --confirm"];
    print(given, { json: { lost: lost.map((line) => line.replace(/^- /, "")) }, text });
    return 1;
  });
}

function say(given: Given, lines: readonly string[]): number {
  print(given, { json: { messages: lines }, text: lines });
  return 0;
}

async function rotate(deps: Deps, database: OpenDatabase): Promise<string[]> {
  const { config } = deps;
  const keys = await readSecretKeys(config);
  if (keys === null) throw new ConfigError(missingKeyText(config.dataDir));
  const path = secretKeyPath(config.dataDir);
  const isFile = config.secretKey === undefined;
  if (keys.previous.length === 0) {
    if (!isFile) throw new ConfigError(NEEDS_TWO_KEYS);
    await writeSecretKeys(path, [newSecretKey(), keys.current], "replace");
  }
  const count = await resealAll(deps);
  const done = `${count} stored secrets are encrypted with the new key, and none with an older one.`;
  if (!isFile) return [done, "Once every node has the new key, start them without POINTKEEPER_SECRET_KEY_PREVIOUS."];
  const isAlone = await database.claim();
  const isSettled = Date.now() - (await stat(path)).mtimeMs > SETTLED_MS;
  if (!isAlone && !isSettled)
    return [done, "A service is running: run this again in a minute to remove the older key from secret.key."];
  const [current = ""] = [(await readSecretKeys(config))?.current];
  await writeSecretKeys(path, [current], "replace");
  return [done, "secret.key now holds only the new key: an earlier backup needs the secret.key it was made with."];
}

const NEEDS_TWO_KEYS =
  "The secret key comes from POINTKEEPER_SECRET_KEY: give every node the new key there and the old one as POINTKEEPER_SECRET_KEY_PREVIOUS, then run this again.";

/** It can be run again after being killed: what the current key has sealed is not changed. */
async function resealAll(deps: Deps): Promise<number> {
  let total = 0;
  for (let found = 1; found > 0; total += found) {
    found = 0;
    for (const reseal of RESEAL) found += await reseal(deps);
  }
  const subject = { kind: "secret_key", id: "store" };
  await recordAction(deps.db, deps, { action: "secrets.rotated", subject, after: { resealed: total } });
  return total;
}

/** Returns what the available secret keys do not decrypt, one line each; changes nothing. */
export async function listLost(deps: Deps): Promise<string[]> {
  const lines: string[] = [];
  const look = { isDryRun: true };
  if ((await resetApiSecretKey(deps, look)) !== null)
    lines.push("- the API secret key: a new one is created, the old one stops working");
  for (const { topic } of await resetSubscriptionSecrets(deps, look))
    lines.push(`- the secret of the subscription ${topic}: its receiver must be given the new one`);
  for (const email of await resetTotp(deps, look))
    lines.push(`- the second factor of ${email}: signs in by password and enrols again`);
  for (const name of await resetStorefrontKeys(deps, look))
    lines.push(`- the storefront key ${name}: it is revoked, create another`);
  if (await resetAlertWebhook(deps, look)) lines.push("- the webhook of alerts: it is removed, set it again");
  if (await resetLinkKey(deps, look))
    lines.push("- the key of the links that unsubscribe: those in mails sent so far stop working");
  if (await resetLedgerKey(deps, look))
    lines.push(
      "- the key of the ledger's chains and checkpoints: customers are linked anew, to the ledger as it is then",
    );
  if (lines.length === 0) return lines;
  const answers = await countSealedAnswers(deps);
  if (answers > 0)
    lines.push(`- ${answers} stored responses that contain a secret: those requests are executed again when retried`);
  return lines;
}

async function reset(deps: Deps, database: OpenDatabase): Promise<string[]> {
  const { config } = deps;
  if (!(await database.claim()))
    throw new ConfigError("A service is running on this data folder and may still know the key: stop it first.");
  if ((await readSecretKeys(config)) === null)
    await writeSecretKeys(secretKeyPath(config.dataDir), [newSecretKey()], "fresh");
  const keys = await readSecretKeys(config);
  if (keys === null) throw new ConfigError(missingKeyText(config.dataDir));
  const fresh = { ...deps, secretBox: createSecretBox(keys) };
  const act = { isDryRun: false };
  const subscriptions = await resetSubscriptionSecrets(fresh, act);
  const people = await resetTotp(fresh, act);
  const storefrontKeys = await resetStorefrontKeys(fresh, act);
  const isAlertWebhookGone = await resetAlertWebhook(fresh, act);
  const isLinkKeyGone = await resetLinkKey(fresh, act);
  await deleteSealedAnswers(fresh);
  const api = await resetApiSecretKey(fresh, act);
  const isLedgerKeyNew = await resetLedgerKey(fresh, act);
  const subject = { kind: "secret_key", id: "store" };
  const after = {
    subscriptions: subscriptions.length,
    people: people.length,
    storefront_keys: storefrontKeys.length,
    alert_webhook: isAlertWebhookGone,
    link_key: isLinkKeyGone,
    api_secret_key: api !== null,
    ledger_key: isLedgerKeyNew,
  };
  await recordAction(deps.db, deps, { action: "secrets.reset", subject, after });
  return [
    ...subscriptions.map(({ topic, secret }) => `subscription ${topic}  secret  ${secret}`),
    ...people.map((email) => `${email} is signed out, has no second factor, and enrols again.`),
    ...storefrontKeys.map((name) => `The storefront key ${name} is revoked: create another.`),
    ...(isAlertWebhookGone ? ["The webhook of alerts is removed: set it again."] : []),
    ...(isLinkKeyGone ? ["Links in mails to customers that were sent so far do not unsubscribe any more."] : []),
    ...(api === null ? [] : [api.isGiven ? "The API secret key is POINTKEEPER_API_SECRET." : `secret  ${api.secret}`]),
    "Secrets are shown only once. The ledger was not changed.",
  ];
}
