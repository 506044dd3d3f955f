import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { MergeSideShown, ShownMerge } from "../../../src/admin/customers/merge-schema.ts";
import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiAsk } from "../../api/client.ts";
import { NoOtherApprover } from "../../ui/approvals/no-other-approver.tsx";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { errorMessage } from "../../ui/states/error-message.ts";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useNavigateWhileShown } from "../../ui/urls/use-navigate-while-shown.ts";
import type { Format } from "../../ui/values/format.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { words as uiWords } from "../../ui/words.ts";
import { useWords } from "../../words/use-words.ts";
import type { Wide } from "../../words/words.ts";
import classes from "./customer.module.css";
import { mergeWords } from "./merge-words.ts";
import { customerPath, useCustomerChange } from "./use-customer.ts";

/** Merges two customers, after a preview. */
export function MergePanel({ customer }: { customer: CustomerHead }) {
  const t = useWords(mergeWords);
  const ui = useWords(uiWords);
  const [named, setNamed] = useState("");
  const preview = useMutation({
    mutationFn: async (removed: string) =>
      (await apiAsk<{ data: ShownMerge }>(`${customerPath(customer.id)}/merge-preview`, { removed })).data,
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    preview.mutate(named.trim());
  };
  return (
    <SidePanel title={t.title} closeTo={customerPath(customer.id)}>
      <Stack gap={16}>
        <Text c="dimmed" size="sm">
          {t.hint}
        </Text>
        <form onSubmit={onSubmit} noValidate>
          <Stack gap={12} align="flex-start">
            <TextInput
              label={t.other}
              value={named}
              onChange={({ currentTarget: { value } }) => {
                setNamed(value);
                preview.reset();
              }}
              error={
                preview.error === null ? null : isUnknown(preview.error) ? t.noSuch : errorMessage(preview.error, ui)
              }
              autoComplete="off"
              data-autofocus
              w="100%"
            />
            <Button type="submit" variant="default" loading={preview.isPending} disabled={named.trim() === ""}>
              {t.preview}
            </Button>
          </Stack>
        </form>
        {preview.data === undefined ? null : (
          <Confirmation customer={customer} merge={preview.data} onRefused={() => preview.reset()} />
        )}
      </Stack>
    </SidePanel>
  );
}

function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

interface ConfirmationProps {
  customer: CustomerHead;
  merge: ShownMerge;
  onRefused(): void;
}

function Confirmation({ customer, merge, onRefused }: ConfirmationProps) {
  const t = useWords(mergeWords);
  const go = useNavigateWhileShown();
  const [isAsking, setIsAsking] = useState(false);
  const nameOf = ({ name, email, id }: MergeSideShown) => name ?? email ?? id;
  /** Two accounts of one person often have the same name. */
  const longName = (side: MergeSideShown) => (nameOf(side) === side.id ? side.id : `${nameOf(side)} (${side.id})`);
  const closeTo = customerPath(customer.id);
  const isOver = merge.needs_approval !== null;
  const change = useCustomerChange<unknown>(customer.id, () => {
    go(closeTo, { keepScroll: true });
    notifyDone(isOver ? t.asked : t.done(nameOf(merge.removed)));
  });
  const onConfirm = () => {
    const body = { removed: merge.removed.id, seen: merge.seen };
    change.mutate(
      { method: "POST", path: "/merge", body },
      {
        onError: (error) => {
          setIsAsking(false);
          notifyFailed(error);
          onRefused();
        },
      },
    );
  };
  return (
    <>
      <MergeTable merge={merge} />
      <NeedsSecond merge={merge} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={() => go(closeTo, { keepScroll: true })}>
          {t.cancel}
        </Button>
        <Button {...(isOver ? {} : { color: "red" })} onClick={() => setIsAsking(true)}>
          {isOver ? t.ask : t.merge}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        title={isOver ? t.confirmAskTitle : t.confirmTitle}
        confirm={isOver ? t.ask : t.merge}
        {...(isOver ? {} : { tone: "bad" as const })} // cast: the only other tone
        isBusy={change.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={onConfirm}
      >
        {(isOver ? t.confirmAsk : t.confirm)(longName(merge.removed), longName(merge.kept))}
      </ConfirmDialog>
    </>
  );
}

/** Shows that another person has to approve it, and the earlier points that count with it. */
function NeedsSecond({ merge: { needs_approval: needed } }: { merge: ShownMerge }) {
  const t = useWords(mergeWords);
  const format = useFormat();
  if (needed === null) return null;
  const { earlier_points: earlier } = needed;
  return (
    <>
      <p className={classes["warn"]}>
        {whyNeeded(t, format, needed)} {earlier === 0 ? null : t.with(format.points(earlier))}
      </p>
      <NoOtherApprover />
    </>
  );
}

type NeededApproval = NonNullable<ShownMerge["needs_approval"]>;

function whyNeeded(
  t: Wide<(typeof mergeWords)["en"]>,
  format: Format,
  { points, moved_points: moved, order_points: ofOrders = 0, excess }: NeededApproval,
): string {
  const isOfDay = excess === "day";
  const shown = format.points(points);
  if (ofOrders > 0) return (isOfDay ? t.needsOfOrdersOfDay : t.needsOfOrders)(shown, format.points(ofOrders));
  if (points > moved) return (isOfDay ? t.needsOfKeptOfDay : t.needsOfKept)(format.points(moved), shown);
  return (isOfDay ? t.needsOfDay : t.needs)(shown);
}

const EXPIRIES_SHOWN = 3;

function MergeTable({ merge }: { merge: ShownMerge }) {
  const t = useWords(mergeWords);
  const sides = [merge.kept, merge.removed, merge.after];
  const rows = useMergeRows().filter(([, , isShown]) => isShown === undefined || sides.some(isShown));
  return (
    <table className={classes["merge"]}>
      <caption>{t.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          {[t.kept, t.removed, t.after].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, render]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td data-name={t.kept}>{render(merge.kept)}</td>
            <td data-name={t.removed}>{render(merge.removed)}</td>
            <td data-name={t.after}>{render(merge.after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Row = readonly [
  label: string,
  render: (side: MergeSideShown) => ReactNode,
  isShown?: (side: MergeSideShown) => boolean,
];

/** The rows of a merge for each side; the last ones only if a side has a value. */
function useMergeRows(): readonly Row[] {
  const t = useWords(mergeWords);
  const format = useFormat();
  const consent = ({ accepts_marketing: accepts }: MergeSideShown) =>
    accepts === null ? "—" : accepts ? t.agreed : t.declined;
  return [
    [t.id, ({ id }) => id],
    [t.available, ({ available }) => format.points(available)],
    [t.lots, ({ lots }) => format.number(lots)],
    [t.expiries, (side) => <Expiries {...side} />, ({ expiries }) => expiries.length > 0],
    [t.tier, ({ tier }) => tier],
    [t.name, ({ name }) => name ?? "—"],
    [t.reading, ({ name_reading: reading }) => reading ?? "—", ({ name_reading: reading }) => reading !== null],
    [t.email, ({ email }) => email ?? "—"],
    [
      t.birthday,
      ({ birthday }) => (birthday === null ? "—" : format.birthday(birthday)),
      ({ birthday }) => birthday !== null,
    ],
    [t.marketing, consent, ({ accepts_marketing: accepts }) => accepts !== null],
    [t.tags, ({ tags }) => (tags.length === 0 ? "—" : format.list(tags)), ({ tags }) => tags.length > 0],
    [t.notes, ({ notes }) => format.number(notes)],
    [t.held, ({ held }) => format.points(held), ({ held }) => held > 0],
    [t.owed, ({ owed }) => format.points(owed), ({ owed }) => owed > 0],
    [t.minimum, ({ minimum_tier: floor }) => floor ?? "—", ({ minimum_tier: floor }) => floor !== null],
  ];
}

function Expiries({ expiries }: MergeSideShown) {
  const t = useWords(mergeWords);
  const format = useFormat();
  const rest = expiries.length - EXPIRIES_SHOWN;
  return (
    <>
      {expiries.length === 0 ? "—" : null}
      {expiries.slice(0, EXPIRIES_SHOWN).map(({ expires_at: at, points }) => (
        <div key={at}>{`${format.date(at)}: ${format.points(points)}`}</div>
      ))}
      {rest > 0 ? t.more(rest) : null}
    </>
  );
}
