import { Text } from "@mantine/core";
import { Time } from "./time.tsx";

interface CountedAtProps {
  /** Null: counted for the first time; undefined: not read yet. */
  at: string | null | undefined;
  words: { readonly countedAt: string; readonly counting: string };
}

/** The time up to which figures are counted; an empty line during the first read, so that nothing below it moves. */
export function CountedAt({ at, words }: CountedAtProps) {
  return (
    <Text component="p" m={0} c="dimmed" mih="1lh">
      {at === null ? words.counting : null}
      {typeof at === "string" ? (
        <>
          {words.countedAt}
          <Time at={at} />
        </>
      ) : null}
    </Text>
  );
}
