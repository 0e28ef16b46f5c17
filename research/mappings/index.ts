import bobai from './bobai.json' with { type: 'json' };
import coinmetrics from './coinmetrics.json' with { type: 'json' };
import tmRugpull from './tm_rugpull.json' with { type: 'json' };
import ydchenPolygon from './ydchen_polygon.json' with { type: 'json' };

/** Mappings of public labelled files that come with the product. The files do not: most carry no licence to pass them on. */
export const MAPPINGS: readonly unknown[] = [bobai, tmRugpull, ydchenPolygon, coinmetrics];
