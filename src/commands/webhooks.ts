import { selectHealth } from "../alerts/health-queries.ts";
import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { formatInstant } from "../time/store-time.ts";
import { checkCallback } from "../webhooks/callbacks/check-callback.ts";
import { selectFailingSubscriptions } from "../webhooks/failures/failing-queries.ts";
import { listFailedDeliveries } from "../webhooks/failures/list-failed-deliveries.ts";
import { replayDelivery } from "../webhooks/failures/replay-delivery.ts";
import { replayFailed } from "../webhooks/failures/replay-failed.ts";
import { selectReceivers } from "../webhooks/queries.ts";
import { addReceiver } from "../webhooks/subscriptions/add-receiver.ts";
import { confirmSubscriptionSecret } from "../webhooks/subscriptions/confirm-subscription-secret.ts";
import { removeReceiver } from "../webhooks/subscriptions/remove-receiver.ts";
import { rotateSubscriptionSecret } from "../webhooks/subscriptions/rotate-subscription-secret.ts";
import { findTopic, type Topic, WEBHOOK_TOPICS } from "../webhooks/topics/index.ts";
import type { Given } from "./command-line.ts";
import { explainNotFound } from "./explain-not-found.ts";
import { jsonTime, pointsText, print, printMoreNotice, type Shown, tableLines } from "./output.ts";
import { isUid, uidArgument } from "./uid-argument.ts";
import { withDeps } from "./with-deps.ts";

const SHOWN_MAX = 1_000;

/** `pointkeeper webhooks ...` (program.md 7): see `pointkeeper help`. */
export async function webhooks(given: Given): Promise<number> {
  const [subject, url] = given.operands;
  print(given, await withDeps(workOf(given.action, subject, url)));
  return 0;
}

/** Returns the work of an action, which returns its output. Arguments are checked before a database is opened. */
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
  const { receiversDead } = await selectHealth(deps.db, deps.clock.now(), false);
  const dead = new Set(receiversDead.map(({ uid }) => uid));
  const rows = receivers.map(({ uid, topic, callbackUrl, isAdditional }) => ({
    uid,
    topic,
    callback_url: callbackUrl,
    kind: isAdditional ? "additional" : "subscription",
    state: dead.has(uid) ? "dead" : "live",
  }));
  const table = tableLines(["uid", "topic", "url", "kind", "state"], rows.map(Object.values));
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
  const found = await listFailedDeliveries(deps.db, SHOWN_MAX + 1);
  const failed = found.slice(0, SHOWN_MAX);
  printMoreNotice(found, SHOWN_MAX);
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
  if (subject === "all") return replayAll;
  const uid = uidArgument(subject, "pointkeeper webhooks replay <uid>, or all");
  return async (deps) => {
    const says = `No failed delivery has the uid ${uid}, or nobody is subscribed to its topic any more.`;
    await deps.db.tx((tx) => replayDelivery(tx, deps, uid)).catch(explainNotFound(says));
    return replayedShown(1);
  };
}

/** Sends all failed deliveries of each subscribed topic again, however many there are. */
async function replayAll(deps: Deps): Promise<Shown> {
  let replayed = 0;
  for (let hasMore = true; hasMore; ) {
    const call = await replayFailed(deps, { since: null, topic: null }, () => {});
    replayed += call.replayed;
    hasMore = call.hasMore;
  }
  const topics = WEBHOOK_TOPICS.map(({ name }) => name);
  const failing = await selectFailingSubscriptions(deps.db, topics);
  const left = topics.filter((name) => failing.some(({ topic, nextUid }) => topic === name && nextUid === null));
  return replayedShown(replayed, left);
}

function replayedShown(replayed: number, left: readonly string[] = []): Shown {
  const text = [`${pointsText(replayed)} ${replayed === 1 ? "delivery" : "deliveries"} will be sent again.`];
  if (left.length > 0) text.push(`Nobody is subscribed to ${left.join(" or ")} any more: what failed of it stays.`);
  return { json: { replayed, left_topics: left }, text };
}

/** Returns a topic, for its subscription, or the uid of an additional receiver. */
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
