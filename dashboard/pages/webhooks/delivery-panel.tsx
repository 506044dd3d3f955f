import { Button, Skeleton } from "@mantine/core";
import type { DeliveryAnswer } from "../../../src/admin/webhooks/schema.ts";
import { apiSend } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { CodeBlock } from "../../ui/values/code-block.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { AttemptList } from "./attempt-list.tsx";
import { DeliveryState } from "./delivery-state.tsx";
import { TopicName } from "./topic-name.tsx";
import { useChange, useDelivery, useReadSoon } from "./use-webhooks.ts";
import classes from "./webhooks.module.css";
import { words } from "./words.ts";

type Delivery = DeliveryAnswer["data"];

/** One delivery: its attempts, the sent body, and sending it again if it failed. */
export function DeliveryPanel({ uid, closeTo }: { uid: string; closeTo: string }) {
  const t = useWords(words);
  const { data, error, refetch } = useDelivery(uid);
  const failure = error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={refetch} />;
  return (
    <SidePanel title={t.delivery} closeTo={closeTo}>
      {data === undefined ? failure : <DeliveryParts delivery={data} />}
    </SidePanel>
  );
}

function DeliveryParts({ delivery }: { delivery: Delivery }) {
  const t = useWords(words);
  const mayReplay = useSession().can("webhooks.manage") && delivery.can_replay;
  const readSoon = useReadSoon();
  const replay = useChange(
    () => apiSend("POST", `/webhooks/deliveries/${delivery.uid}/replay`, {}),
    () => {
      notifyDone(t.replayed);
      readSoon();
    },
  );
  return (
    <>
      <DeliveryFacts delivery={delivery} />
      {mayReplay ? (
        <div>
          <Button loading={replay.isPending} onClick={() => replay.mutate({})}>
            {t.replay}
          </Button>
        </div>
      ) : null}
      <Section title={t.attemptList}>
        <AttemptList attempts={delivery.attempt_list} />
      </Section>
      <Section title={t.payload}>
        <Payload delivery={delivery} />
      </Section>
    </>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const t = useWords(words);
  const { uid, topic, state, due_at, customer, callback_url, export_uid } = delivery;
  const who = customer !== null && (
    <CopyId key="customer" value={customer.id} label={<CustomerLink customer={customer} />} />
  );
  const statement = export_uid !== null && (
    <CopyId key="export" value={export_uid} label={<PageLink to="/csv/exports">{export_uid}</PageLink>} />
  );
  return (
    <Facts
      items={[
        [t.state, <DeliveryState key="state" state={state} />],
        [t.topic, <TopicName key="topic" topic={topic} />],
        ["ID", <CopyId key="uid" value={uid} />],
        ...(who === false ? [] : [[t.customer, who] as const]),
        ...(statement === false ? [] : [[t.export, statement] as const]),
        ...(callback_url === null ? [] : [[t.address, <CopyId key="url" value={callback_url} />] as const]),
        ...(due_at === null
          ? []
          : [[state === "failed" ? t.failedAt : t.nextTry, <Time key="due" at={due_at} />] as const]),
      ]}
    />
  );
}

function Payload({ delivery: { payload, export_uid } }: { delivery: Delivery }) {
  const t = useWords(words);
  if (payload !== null) return <CodeBlock label={t.payload} text={payload} />;
  return <p className={classes["hint"]}>{export_uid === null ? t.payloadHidden : t.payloadExport}</p>;
}
