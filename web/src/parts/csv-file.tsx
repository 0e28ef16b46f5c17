/** A button that reads a text file from disk. */
export function CsvFile({ onText }: { readonly onText: (text: string) => void }) {
  return (
    <label className="button">
      Read a CSV file
      <input
        className="vh"
        type="file"
        accept=".csv,text/csv,text/plain"
        onChange={async (event) => {
          const [file] = event.target.files ?? [];
          if (file) onText(await file.text());
          event.target.value = '';
        }}
      />
    </label>
  );
}
