import { type RefObject, useEffect, useRef, useState } from 'react';

/** The width of an element in pixels: a chart drawn to it has letters of one size on a phone and on a wide screen. */
export function useWidth<E extends Element>(usual: number): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(usual);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
