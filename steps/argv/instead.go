package argv

import "strings"

// expectOf gives the expect row that judges what a reading row reads; "…" stands for the value.
var expectOf = map[string]string{
	"get text": "text", "get value": "value", "get attr": "attr", "get title": "title", "get url": "url", "get count": "count",
	"is visible": "visible", "is enabled": "enabled", "is checked": "checked",
}

// Instead spells the step that judges what a row only reads: an expect row where there is one, else the row with an
// expect. It is ready to paste but for the value.
func Instead(c *Call) string {
	cells := make([]string, 0, len(c.Cells)+1)
	for _, cell := range c.Cells[c.words:] {
		cells = append(cells, cell.Text)
	}
	if kind, ok := expectOf[c.Command.Name()]; ok {
		row := append([]string{"expect", kind}, cells...)
		switch kind {
		case "url":
			row = append(row, "/…")
		case "count":
			row = append(row, "== 1")
		case "text", "value", "attr", "title":
			row = append(row, "…")
		}
		return Row(row)
	}
	if c.Is("find") && c.ReadsOnly() {
		if t := c.findTarget(); t != "" {
			return Row([]string{"expect", "text", t, "…"})
		}
	}
	value := "value"
	if key := c.ValueKey(); key == "" {
		value = "data." + c.Command.Data[0].Name
	}
	judge := value + ` != ""`
	for _, d := range c.DataKeys() {
		if "data."+d.Name == value || value == "value" && d.Name == c.ValueKey() {
			switch d.Type {
			case "list", "map":
				judge = "len(" + value + ") == 0"
			case "int", "float":
				judge = value + " > 0"
			case "any":
				judge = value + " != nil"
			case "bool":
				if judge = value; d.Name == "changed" {
					judge = "not " + value
				}
			}
		}
	}
	return "{ row: " + Row(append(append([]string{}, c.Command.Words...), cells...)) + ", expect: '" + strings.TrimSpace(judge) + "' }"
}

// findTarget spells the target of a find row, or "" if not all of it is known.
func (c *Call) findTarget() string {
	for _, cell := range c.Cells {
		if cell.Dynamic {
			return ""
		}
	}
	a, err := c.Bind(texts(c.Cells))
	if err != nil {
		return ""
	}
	t, _, _ := a.Find()
	return t.String()
}
