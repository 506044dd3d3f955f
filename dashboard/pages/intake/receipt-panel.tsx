import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import type { ReceiptAnswer } from "../../../src/admin/intake/schema.ts";
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
import { useFormat } from "../../ui/values/use-format.ts";
import { useReceiptWords } from "../../words/receipt-words.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./intake.module.css";
import { ReceiptState } from "./receipt-state.tsx";
import { useChange, useReceipt } from "./use-intake.ts";
import { words } from "./words.ts";

type Receipt = ReceiptAnswer["data"];

/** A receipt: its state and the reason, its body, and processing again. */
export function ReceiptPanel({ uid, closeTo }: { uid: string; closeTo: string }) {
  const t = useWords(words);
  const say = useReceiptWords();
  const { data, error, refetch } = useReceipt(uid);
  const failure = error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={refetch} />;
  return (
    <SidePanel title={data === undefined ? t.receipt : say.topic(data.topic)} closeTo={closeTo}>
      {data === undefined ? failure : <ReceiptParts receipt={data} />}
    </SidePanel>
  );
}

function ReceiptParts({ receipt }: { receipt: Receipt }) {
  const t = useWords(words);
  const say = useReceiptWords();
  const mayReprocess = useSession().can("intake.reprocess") && receipt.payload_bytes !== null;
  const reprocess = useChange(
    () => apiSend("POST", `/intake/receipts/${receipt.uid}/reprocess`, {}),
    () => notifyDone(t.reprocessed),
  );
  return (
    <>
      <ReceiptFacts receipt={receipt} />
      {mayReprocess ? (
        <div>
          <Button
            variant={receipt.state === "done" ? "default" : "filled"}
            loading={reprocess.isPending}
            onClick={() => reprocess.mutate()}
          >
            {t.reprocess}
          </Button>
        </div>
      ) : null}
      {receipt.note === null ? null : (
        <Section title={t.note}>
          <p className={classes["text"]}>{say.note(receipt.note)}</p>
        </Section>
      )}
      {receipt.warnings.length === 0 ? null : (
        <Section title={t.warned}>
          <ul className={classes["warnings"]}>
            {receipt.warnings.map((warning) => (
              <li key={warning.pointer + warning.detail}>
                <code>{warning.pointer}</code>
                <span className={classes["text"]}>{say.warning(warning)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t.payload}>
        <Said text={receipt.payload} label={t.payload} receipt={receipt} />
      </Section>
      {receipt.headers === null || receipt.headers === "{}" ? null : (
        <Section title={t.headers}>
          <CodeBlock label={t.headers} text={receipt.headers} />
        </Section>
      )}
    </>
  );
}

function ReceiptFacts({ receipt }: { receipt: Receipt }) {
  const t = useWords(words);
  const format = useFormat();
  const say = useReceiptWords();
  const { order, customer } = receipt;
  const about: (readonly [string, ReactNode])[] = [
    ...(order === null ? [] : [[t.order, <OrderId key="order" order={order} />] as const]),
    ...(customer === null ? [] : [[t.customer, <CustomerId key="customer" customer={customer} />] as const]),
  ];
  return (
    <Facts
      items={[
        [t.state, <ReceiptState key="state" state={receipt.state} isWarned={receipt.warnings.length > 0} />],
        ...about,
        [t.received, <Time key="received" at={receipt.received_at} />],
        [t.source, say.source(receipt.adapter)],
        [t.key, <CopyId key="key" value={receipt.delivery_key} />],
        ["ID", <CopyId key="uid" value={receipt.uid} />],
        ...(receipt.attempts === 0 ? [] : [[t.tries, format.number(receipt.attempts)] as const]),
      ]}
    />
  );
}

function OrderId({ order: { id, name } }: { order: NonNullable<Receipt["order"]> }) {
  return <CopyId value={id} label={<PageLink to={`/orders/${encodeURIComponent(id)}`}>{name ?? id}</PageLink>} />;
}

function CustomerId({ customer }: { customer: NonNullable<Receipt["customer"]> }) {
  return <CopyId value={customer.id} label={<CustomerLink customer={customer} />} />;
}

function Said({ text, label, receipt }: { text: string | null; label: string; receipt: Receipt }) {
  const t = useWords(words);
  if (text !== null) return <CodeBlock label={label} text={text} />;
  return <p className={classes["hint"]}>{receipt.payload_bytes === null ? t.dropped : t.hidden}</p>;
}
