import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { ApiError } from "../../api/api-error.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "../words.ts";
import { errorMessage, isUnknownFilter } from "./error-message.ts";
import classes from "./state.module.css";

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
}

/** Shown if something could not be read: the reason, and a button to try again, or to remove a filter that is not known. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const t = useWords(words);
  const isForbidden = error instanceof ApiError && error.status === 403; // a repetition would be refused again
  const isUnknown = isUnknownFilter(error);
  return (
    <div className={classes["state"]} role="alert">
      <p className={classes["title"]}>{t.failed}</p>
      <div className={classes["hint"]}>{errorMessage(error, t)}</div>
      {isUnknown ? <ClearAddress /> : null}
      {onRetry === undefined || isForbidden || isUnknown ? null : (
        <Button className={classes["action"] ?? ""} variant="default" onClick={onRetry}>
          {t.retry}
        </Button>
      )}
    </div>
  );
}

/** Shows the same page without filters. */
function ClearAddress() {
  const t = useWords(words);
  const router = useRouter();
  const clear = () => void router.navigate({ to: ".", search: () => ({}), replace: true });
  return (
    <Button className={classes["action"] ?? ""} variant="default" onClick={clear}>
      {t.clearFilters}
    </Button>
  );
}
