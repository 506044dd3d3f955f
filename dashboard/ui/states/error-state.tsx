import { Button } from "@mantine/core";
import { ApiError } from "../../api/api-error.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "../words.ts";
import { errorMessage } from "./error-message.ts";
import classes from "./state.module.css";

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
}

/** Shown if something could not be read: the reason, and a button to try again. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const t = useWords(words);
  const isForbidden = error instanceof ApiError && error.status === 403; // a repetition would be refused again
  return (
    <div className={classes["state"]} role="alert">
      <p className={classes["title"]}>{t.failed}</p>
      <div className={classes["hint"]}>{errorMessage(error, t)}</div>
      {onRetry === undefined || isForbidden ? null : (
        <Button className={classes["action"] ?? ""} variant="default" onClick={onRetry}>
          {t.retry}
        </Button>
      )}
    </div>
  );
}
