import type { AttemptRow } from "../../../src/admin/webhooks/schema.ts";
import { useSession } from "../../api/session.ts";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useLanguage } from "../../words/language.tsx";
import { localizeFailure } from "../../words/localize-failure.ts";
import { useWords } from "../../words/use-words.ts";
import { AnswerText } from "./test-part.tsx";
import classes from "./webhooks.module.css";
import { words } from "./words.ts";

/** Each attempt, newest first: time, duration, receiver and response. */
export function AttemptList({ attempts }: { attempts: readonly AttemptRow[] }) {
  const t = useWords(words);
  if (attempts.length === 0) return <p className={classes["hint"]}>{t.noAttempts}</p>;
  return (
    <ol className={classes["attempts"]}>
      {attempts.map((attempt, place) => (
        <Attempt
          key={`${attempt.uid} ${attempt.subscription_uid}`}
          attempt={attempt}
          isReplay={attempt.kind === "first" && hasSameReceiver(attempts.slice(place + 1), attempt)}
        />
      ))}
    </ol>
  );
}

/** Whether one of these attempts was made at the same receiver: a delivery that a person sends again begins as if it were new. */
function hasSameReceiver(earlier: readonly AttemptRow[], { subscription_uid: uid }: AttemptRow): boolean {
  return earlier.some((one) => one.subscription_uid === uid);
}

function Attempt({ attempt, isReplay }: { attempt: AttemptRow; isReplay: boolean }) {
  const t = useWords(words);
  const format = useFormat();
  const { language } = useLanguage();
  const mayRead = useSession().can("intake.reprocess"); // a response may name a person, like a receipt
  const { kind, status, failure, answer_head, duration_ms, started_at, callback_url } = attempt;
  return (
    <li>
      <p className={classes["resultHead"]}>
        <StateBadge tone={status === 200 ? "good" : "bad"}>
          {status === null ? t.noAnswer : t.answer(status)}
        </StateBadge>
        <Time at={started_at} />
        <span>{t.took(format.number(duration_ms))}</span>
        <span className={classes["kind"]}>{isReplay ? t.sentAgain : t.attempt[kind]}</span>
      </p>
      <p className={classes["receiver"]}>{callback_url ?? t.goneReceiver}</p>
      {mayRead ? (
        <AnswerText failure={failure} head={answer_head} />
      ) : (
        <p className={classes["hint"]}>{failure === null ? t.answerHidden : localizeFailure(failure, language)}</p>
      )}
    </li>
  );
}
