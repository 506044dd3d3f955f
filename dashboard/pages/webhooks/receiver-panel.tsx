import { Skeleton } from "@mantine/core";
import type { SubscriptionRow } from "../../../src/admin/webhooks/schema.ts";
import { useSession } from "../../api/session.ts";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { topicSlug } from "../../ui/urls/address.ts";
import { CodeBlock } from "../../ui/values/code-block.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useTopicName } from "../../words/topic-name.ts";
import { useWords } from "../../words/use-words.ts";
import { ReceiverActions } from "./receiver-actions.tsx";
import { ReceiverState } from "./receiver-state.tsx";
import { SubscribeForm } from "./subscribe-form.tsx";
import { TestPart } from "./test-part.tsx";
import { useReceivers } from "./use-webhooks.ts";
import { words } from "./words.ts";

/** A topic: its receiver with its health and the possible actions, or the form to subscribe one. */
export function ReceiverPanel({ slug, closeTo }: { slug: string; closeTo: string }) {
  const nameOf = useTopicName();
  const { data, error, refetch } = useReceivers();
  const t = useWords(words);
  const receiver = data?.find(({ topic }) => topicSlug(topic) === slug);
  const failure = error === null ? <Skeleton height={240} /> : <ErrorState error={error} onRetry={refetch} />;
  const none = data === undefined ? failure : <EmptyState title={t.noTopic} />;
  return (
    <SidePanel title={receiver === undefined ? slug : nameOf(receiver.topic)} closeTo={closeTo}>
      {receiver === undefined ? none : <Receiver receiver={receiver} />}
    </SidePanel>
  );
}

function Receiver({ receiver }: { receiver: SubscriptionRow }) {
  const t = useWords(words);
  const mayManage = useSession().can("webhooks.manage");
  const isSubscribed = receiver.uid !== null;
  return (
    <>
      <ReceiverFacts receiver={receiver} />
      {isSubscribed && mayManage ? <ReceiverActions receiver={receiver} /> : null}
      {!isSubscribed && mayManage ? <SubscribeForm topic={receiver.topic} /> : null}
      {isSubscribed && mayManage ? (
        <TestPart receiver={receiver} />
      ) : (
        <Section title={t.sample}>
          <CodeBlock label={t.sample} text={receiver.sample} />
        </Section>
      )}
    </>
  );
}

function ReceiverFacts({ receiver }: { receiver: SubscriptionRow }) {
  const t = useWords(words);
  const format = useFormat();
  const { topic, callback_url, median_ms, slow_ms } = receiver;
  const topicFact = [t.topic, <CopyId key="topic" value={topic} label={<code>{topic}</code>} />] as const;
  const healthFact = [t.health, <ReceiverState key="health" receiver={receiver} />] as const;
  if (callback_url === null) return <Facts items={[topicFact, healthFact]} />;
  const speed = median_ms === null || slow_ms === null ? "—" : t.slow(format.number(median_ms), format.number(slow_ms));
  return (
    <Facts
      items={[
        topicFact,
        [t.address, <CopyId key="url" value={callback_url} />],
        healthFact,
        [t.lastSuccess, <Time key="success" at={receiver.last_success_at} />],
        [t.lastFailure, <Time key="failure" at={receiver.last_failure_at} />],
        [
          t.answers,
          <span key="speed" title={t.ofRecent}>
            {speed}
          </span>,
        ],
        [t.since, <Time key="since" at={receiver.activated_at} />],
        ...(receiver.is_rotating ? [[t.secret, t.rotating] as const] : []),
      ]}
    />
  );
}
