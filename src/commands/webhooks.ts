import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { formatInstant } from "../time/store-time.ts";
import { addReceiver } from "../webhooks/add-receiver.ts";
import { checkCallback } from "../webhooks/check-callback.ts";
import { confirmSubscriptionSecret } from "../webhooks/confirm-subscription-secret.ts";
import { listFailedDeliveries } from "../webhooks/list-failed-deliveries.ts";
import { selectReceivers } from "../webhooks/queries.ts";
import { removeReceiver } from "../webhooks/remove-receiver.ts";
import { replayDelivery } from "../webhooks/replay-delivery.ts";
import { rotateSubscriptionSecret } from "../webhooks/rotate-subscription-secret.ts";
import { findTopic, type Topic } from "../webhooks/topics/index.ts";
import type { Given } from "./command-line.ts";
import { nameMissing } from "./name-missing.ts";
import { jsonTime, print, type Shown, tableLines } from "./output.ts";
import { isUid, uidArgument } from "./uid-argument.ts";
import { withDeps } from "./with-deps.ts";

const SHOWN_MAX = 1_000;

/** `pointkeeper webhooks ...` (program.md 7): see `pointkeeper help`. */
export async function webhooks(given: Given): Promise<number> {
  const [subject, url] = given.operands;
  print(given, await withDeps(workOf(given.action, subject, url)));
  return 0;
}

/** What a command does, returning what it shows. Arguments are checked before a database is opened. */
function workOf(action: string, subject: string | undefined, url: string | undefined): (deps: Deps) => Promise<Shown> {
  switch (action) {
    case "receivers":
      return showReceivers;
    case "add-receiver":
      return addTo(topicOf(subject), url ?? "");
    case "remove-receiver": {
      const uid = uidArgument(subject, "pointkeeper webhooks remove-receiver <uid>");
      return async (deps) => {
        await removeReceiver(deps, uid);
        return { json: { removed: uid }, text: ["It is sent nothing any more."] };
      };
    }
    case "failed":
      return showFailed;
    case "replay":
      return replay(subject);
    case "rotate-secret": {
      const receiver = receiverOf(subject);
      return async (deps) => {
        const secret = await rotateSubscriptionSecret(deps, receiver);
        const next = `Deliveries are signed with both from now on. Once the receiver knows it, run: pointkeeper webhooks confirm-secret ${receiver}`;
        return { json: { receiver, secret }, text: [`secret  ${secret}`, next] };
      };
    }
    case "confirm-secret": {
      const receiver = receiverOf(subject);
      return async (deps) => {
        await confirmSubscriptionSecret(deps, receiver);
        return { json: { receiver, confirmed: true }, text: ["From now on only the new secret signs."] };
      };
    }
    default:
      throw new Error(`no work for ${action}`);
  }
}

async function showReceivers(deps: Deps): Promise<Shown> {
  const receivers = await selectReceivers(deps.db);
  const rows = receivers.map(({ uid, topic, callbackUrl, isAdditional }) => ({
    uid,
    topic,
    callback_url: callbackUrl,
    kind: isAdditional ? "additional" : "subscription",
  }));
  const table = tableLines(["uid", "topic", "url", "kind"], rows.map(Object.values));
  return { json: { receivers: rows }, text: rows.length === 0 ? ["Nobody is subscribed."] : table };
}

function addTo(topic: Topic, callbackUrl: string): (deps: Deps) => Promise<Shown> {
  return async (deps) => {
    await checkCallback(deps, callbackUrl);
    const { uid, secret } = await deps.db.tx((tx) => addReceiver(tx, deps, { topic, callbackUrl }));
    return {
      json: { uid, topic, callback_url: callbackUrl, secret },
      text: [`uid     ${uid}`, `secret  ${secret}`],
    };
  };
}

async function showFailed(deps: Deps): Promise<Shown> {
  const failed = await listFailedDeliveries(deps.db, SHOWN_MAX);
  const rows = failed.map(({ uid, topic, lastAt, lastAnswer }) => [
    uid,
    topic,
    lastAt === null ? "never tried" : formatInstant(lastAt),
    lastAnswer ?? "",
  ]);
  return {
    json: {
      deliveries: failed.map(({ uid, topic, lastAt, lastAnswer }) => ({
        ...{ uid, topic },
        last_attempt_at: jsonTime(lastAt),
        last_answer: lastAnswer,
      })),
    },
    text:
      rows.length === 0 ? ["No delivery has failed."] : tableLines(["uid", "topic", "last attempt", "answer"], rows),
  };
}

function replay(subject: string | undefined): (deps: Deps) => Promise<Shown> {
  const one = subject === "all" ? null : uidArgument(subject, "pointkeeper webhooks replay <uid>, or all");
  return async (deps) => {
    const uids = one === null ? (await listFailedDeliveries(deps.db, SHOWN_MAX)).map(({ uid }) => uid) : [one];
    for (const uid of uids) {
      const says = `No failed delivery has the uid ${uid}, or nobody is subscribed to its topic any more.`;
      await deps.db.tx((tx) => replayDelivery(tx, deps, uid)).catch(nameMissing(says));
    }
    const count = uids.length === 1 ? "1 delivery" : `${uids.length} deliveries`;
    return { json: { replayed: uids.length }, text: [`${count} will be sent again.`] };
  };
}

/** A topic, whose subscription it is, or the uid of an additional receiver. */
function receiverOf(name: string | undefined): string {
  const topic = findTopic(name ?? "");
  if (topic !== undefined) return topic;
  if (name === undefined || !isUid(name))
    throw new UsageError("Name a topic, such as point_balance/update, or the uid of an additional receiver");
  return name;
}

function topicOf(name: string | undefined): Topic {
  const topic = name === undefined ? undefined : findTopic(name);
  if (topic === undefined) throw new UsageError("Name a topic, such as point_balance/update");
  return topic;
}
