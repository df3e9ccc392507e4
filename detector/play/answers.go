package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// Answers remembers the latest answers of Explain: a press that waits for reports is judged again and again, mostly
// with the same evidence. The zero value is ready for use.
type Answers struct{ latest [2]answer }

type answer struct {
	root   legal.Position
	images []Image
	press  Press
	list   []Explanation
}

// Explain is the function Explain. Its caller must change neither the images nor the answer.
func (a *Answers) Explain(root *legal.Position, images []Image, pr Press) []Explanation {
	for i := range a.latest {
		if o := &a.latest[i]; len(o.images) > 0 && o.press == pr && o.root == *root && slices.Equal(o.images, images) {
			return o.list
		}
	}
	list := Explain(*root, images, pr)
	a.latest[1] = a.latest[0]
	a.latest[0] = answer{*root, images, pr, list}
	return list
}

// Forget drops the answers: the next questions will be others.
func (a *Answers) Forget() { *a = Answers{} }
