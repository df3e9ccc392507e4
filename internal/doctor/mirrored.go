package doctor

import (
	"maps"
	"path/filepath"
	"slices"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/retention"
	texts "boardwatchd/internal/web/page"
)

// mirrored reports the space taken by the mirrored journals of a hall that is served here, and which of them will be
// removed.
func (v *visit) mirrored(b config.Budgets) {
	dir := hub.FilesIn(v.path(filepath.Join(v.dir, "hall"))).Mirror()
	of, err := mirror.Open(dir).Sizes()
	if err != nil {
		v.fail("mend it, or run doctor as the user of the service", "mirrored journals: %v", err)
		return
	}
	if len(of) == 0 {
		return
	}
	var taken int64
	for _, size := range of {
		taken += size
	}
	computers := slices.Sorted(maps.Keys(of))
	list, err := retention.Under(dir, computers)
	switch told := texts.English(retention.Announcement(list.Due, list.Left(v.Now()), v.Now())); {
	case err != nil:
		v.fail("mend or rename the file that is named", "mirrored journals: none can be removed: %v", err)
	case told != "":
		v.warn(texts.English(retention.RemedyUnder(dir)), "mirrored journals: %s", told)
	default:
		v.ok("mirrored journals: those of %s take %s of %s; %s removed so far", retention.Number(len(computers), "computer", "computers"), megabytes(taken),
			megabytes(b.Journals), retention.Number(len(list.Removed), "was", "were"))
	}
}
