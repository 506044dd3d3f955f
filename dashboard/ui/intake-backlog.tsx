import { useQuery } from "@tanstack/react-query";
import type { BacklogAnswer } from "../../src/admin/intake/schema.ts";
import { dataQuery } from "../api/client.ts";
import { backlogWords } from "../words/backlog-words.ts";
import { useWords } from "../words/use-words.ts";
import { FormFault } from "./forms/form-fault.tsx";
import { Section } from "./layout/section.tsx";
import { Facts } from "./values/facts.tsx";
import { useFormat } from "./values/use-format.ts";

type Backlog = BacklogAnswer["data"];

const REFRESH_MS = 10_000;
const SIZES = [
  ["days", 86_400],
  ["hours", 3_600],
  ["minutes", 60],
  ["seconds", 1],
] as const;

export const BACKLOG_QUERY = {
  queryKey: ["intake", "backlog"],
  queryFn: dataQuery<Backlog>("/intake/backlog"),
};

/** The number of unprocessed receipts, the rate of processing and the remaining time. Hidden while the intake keeps up. */
export function IntakeBacklog() {
  const { data } = useQuery({ ...BACKLOG_QUERY, refetchInterval: REFRESH_MS });
  if (data === undefined || data.older_than.minute === 0) return null;
  return <BacklogFacts backlog={data} />;
}

function BacklogFacts({ backlog }: { backlog: Backlog }) {
  const t = useWords(backlogWords);
  const { number } = useFormat();
  const length = useLength();
  const { counted_to: countedTo, older_than: older, left_s: leftS } = backlog;
  const count = (n: number) => (n > countedTo ? t.more(number(countedTo)) : number(n));
  const left = leftS === null ? null : backlog.new > countedTo ? t.atLeast(length(leftS)) : length(leftS);
  return (
    <Section title={t.title}>
      <Facts
        items={[
          [t.waiting, count(backlog.new)],
          [t.age, t.ages(count(older.minute), count(older.hour))],
          [t.oldest, length(backlog.oldest_s ?? 0)],
          [t.rate, number(Math.round(backlog.per_minute))],
          ...(left === null ? [] : [[t.left, left] as const]),
        ]}
      />
      {left === null ? <FormFault>{t.stands}</FormFault> : null}
    </Section>
  );
}

/** "1 h 5 min": the two largest units of a duration. */
function useLength(): (seconds: number) => string {
  const t = useWords(backlogWords);
  const { number } = useFormat();
  return (seconds) => {
    let rest = Math.round(seconds);
    const parts = SIZES.flatMap(([name, size]) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return count === 0 ? [] : [t[name](number(count))];
    });
    return parts.slice(0, 2).join(" ") || t.seconds(number(0));
  };
}
