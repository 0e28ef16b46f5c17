/** Drawn in a box of 16; the stroke has the colour of the text beside it. */
const PATHS = {
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3.5 3.5',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  sort: 'M5 6l3-3 3 3M5 10l3 3 3-3',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  columns: 'M2 3h12v10H2zM6.5 3v10M10.5 3v10',
  save: 'M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  plus: 'M8 3v10M3 8h10',
} as const;

/** Never the only label of a button: name the button. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
