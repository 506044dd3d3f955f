import { Button, FileButton } from "@mantine/core";
import { type DragEvent, useState } from "react";
import { UploadIcon } from "../../ui/layout/icons.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { uploadWords } from "./upload-words.ts";

/** Accepts one file that is dropped on it, or chosen. */
export function DropZone({ onFile }: { onFile(file: File): void }) {
  const w = useWords(uploadWords);
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) onFile(file);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is beside the button, which keyboards and readers use
    <div
      className={classes["drop"]}
      data-over={isOver}
      onDragOver={drag}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <UploadIcon />
      <span className={classes["strong"]}>{w.drop}</span>
      <span className={classes["hint"]}>{w.dropOr}</span>
      <FileButton onChange={(file) => file !== null && onFile(file)} accept=".csv,.tsv,.txt,text/csv">
        {(props) => (
          <Button {...props} variant="default">
            {w.choose}
          </Button>
        )}
      </FileButton>
      <span className={classes["hint"]}>{w.dropHint}</span>
    </div>
  );
}
