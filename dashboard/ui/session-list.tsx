import { Button } from "@mantine/core";
import type { ListedSessionRow } from "../../src/admin/session/schema.ts";
import { useWords } from "../words/use-words.ts";
import classes from "./session-list.module.css";
import { StateBadge } from "./values/state-badge.tsx";
import { Time } from "./values/time.tsx";
import { words } from "./words.ts";

interface SessionListProps {
  sessions: readonly ListedSessionRow[];
  onEnd(session: ListedSessionRow): void;
  isBusy: boolean;
}

/** Sessions of one person with device, place and start; each can be ended. */
export function SessionList({ sessions, onEnd, isBusy }: SessionListProps) {
  const t = useWords(words);
  return (
    <ul className={classes["list"]}>
      {sessions.map((session) => {
        const { uid, browser, system, address, method, created_at: createdAt, seen_at: seenAt } = session;
        const device = t.device(browser, system);
        return (
          <li key={uid} className={classes["row"]}>
            <div>
              <strong>{device}</strong>{" "}
              {session.is_current ? <StateBadge tone="good">{t.thisDevice}</StateBadge> : null}
              <p className={classes["text"]}>
                {t.methods[method]} · {address ?? t.unknownPlace} · {t.since} <Time at={createdAt} /> · {t.lastUsed}{" "}
                <Time at={seenAt} />
              </p>
            </div>
            {session.is_current ? null : (
              <Button
                variant="default"
                loading={isBusy}
                onClick={() => onEnd(session)}
                aria-label={t.endSessionOf(device)}
              >
                {t.endSession}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
