import { Button } from "@mantine/core";
import type { SubscriptionRow, TestAnswer } from "../../../src/admin/webhooks/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { CodeBlock } from "../../ui/values/code-block.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useLanguage } from "../../words/language.tsx";
import { localizeFailure } from "../../words/localize-failure.ts";
import { useWords } from "../../words/use-words.ts";
import { toSubscription, useChange } from "./use-webhooks.ts";
import classes from "./webhooks.module.css";
import { words } from "./words.ts";

/** Sends the topic's sample and shows the receiver's response. */
export function TestPart({ receiver }: { receiver: SubscriptionRow }) {
  const t = useWords(words);
  const test = useChange(toSubscription<TestAnswer>("POST", "/test"), () => {});
  const action = (
    <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ topic: receiver.topic })}>
      {t.test}
    </Button>
  );
  return (
    <Section title={t.testSent} action={action}>
      <p className={classes["hint"]}>{t.testHint}</p>
      <div role="status">{test.data === undefined ? null : <TestResult result={test.data.data} />}</div>
      <CodeBlock label={t.sample} text={receiver.sample} />
    </Section>
  );
}

function TestResult({ result }: { result: TestAnswer["data"] }) {
  const t = useWords(words);
  const format = useFormat();
  const { status, failure, duration_ms, answer_head } = result;
  return (
    <div className={classes["result"]}>
      <p className={classes["resultHead"]}>
        <StateBadge tone={status === 200 ? "good" : "bad"}>
          {status === null ? t.noAnswer : t.answer(status)}
        </StateBadge>
        <span>{t.took(format.number(duration_ms))}</span>
      </p>
      <AnswerText failure={failure} head={answer_head} />
    </div>
  );
}

/** The first bytes of a response, or why there is none. */
export function AnswerText({ failure, head }: { failure: string | null; head: string | null }) {
  const t = useWords(words);
  const { language } = useLanguage();
  if (failure !== null) return <p className={classes["failure"]}>{localizeFailure(failure, language)}</p>;
  if (head === null || head === "") return <p className={classes["hint"]}>{t.emptyAnswer}</p>;
  return <CodeBlock label={t.lastAnswer} text={head} />;
}
