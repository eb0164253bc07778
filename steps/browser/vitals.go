package browser

import (
	"context"

	"github.com/checkrow/checkrow/steps"
)

// vitalsScript reads what the browser has measured since the document began. Observers get what is buffered in a task of
// their own, so it waits for a frame and a moment.
const vitalsScript = `(async () => {
	const all = {};
	const seen = ['largest-contentful-paint', 'layout-shift', 'event', 'first-input'].map(type => {
		all[type] = [];
		try {
			const o = new PerformanceObserver(l => all[type].push(...l.getEntries()));
			o.observe(type === 'event' ? { type, buffered: true, durationThreshold: 16 } : { type, buffered: true });
			return () => { all[type].push(...o.takeRecords()); o.disconnect() };
		} catch { return () => {} }
	});
	await new Promise(f => { const t = setTimeout(f, 250); requestAnimationFrame(() => setTimeout(() => { clearTimeout(t); f() }, 50)) });
	seen.forEach(f => f());
	const name = n => !n || !n.localName ? null : n.localName + (n.id ? '#' + n.id : '');
	const nav = performance.getEntriesByType('navigation')[0];
	const fcp = performance.getEntriesByName('first-contentful-paint')[0];
	const l = all['largest-contentful-paint'].at(-1);
	const shifts = all['layout-shift'].filter(e => !e.hadRecentInput);
	let score = 0, sum = 0, first = 0, last = 0;
	for (const e of shifts) { // the largest window: shifts less than 1 s apart, 5 s in all
		if (sum && e.startTime - last < 1000 && e.startTime - first < 5000) sum += e.value; else { sum = e.value; first = e.startTime }
		last = e.startTime; score = Math.max(score, sum);
	}
	const acts = {};
	for (const e of [...all['event'], ...all['first-input']]) if (e.interactionId) acts[e.interactionId] = Math.max(acts[e.interactionId] || 0, e.duration);
	const slow = Object.values(acts);
	return { url: location.href, ttfb: nav ? nav.responseStart : 0, fcp: fcp ? fcp.startTime : null,
		lcp: l ? { startTime: l.startTime, size: l.size, element: name(l.element), url: l.url || null } : { startTime: null, size: 0, element: null, url: null },
		cls: { score, entries: shifts.slice(0, 50).map(e => ({ value: e.value, startTime: e.startTime,
			sources: (e.sources || []).map(s => name(s.node)).filter(Boolean) })) },
		inp: slow.length ? Math.max(...slow) : null, hydration: null, phases: [], hydratedComponents: [] };
})()`

func vitals(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	if err := s.visitFirst(r); err != nil {
		return steps.Observation{}, err
	}
	v, err := s.evaluate(ctx, vitalsScript)
	if err != nil {
		return steps.Observation{}, err
	}
	data, ok := v.(map[string]any)
	if !ok {
		return steps.Observation{}, problem(steps.Internal, "vitals", "the page gave no measurements")
	}
	return steps.OK(data, ""), nil
}
