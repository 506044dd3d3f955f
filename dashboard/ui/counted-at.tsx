import { Text } from "@mantine/core";
import { Time } from "./time.tsx";

interface CountedAtProps {
  /** Null: counted for the first time; undefined: not read yet. */
  at: string | null | undefined;
  words: { readonly countedAt: string; readonly counting: string };
}

/** Up to when figures are; nothing while they are read for the first time. */
export function CountedAt({ at, words }: CountedAtProps) {
  if (at === undefined) return null;
  return (
    <Text component="p" m={0} c="dimmed">
      {at === null ? (
        words.counting
      ) : (
        <>
          {words.countedAt} <Time at={at} />
        </>
      )}
    </Text>
  );
}
