package said

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// The plain reader is encoding/json or does not answer.
func FuzzReadBrief(f *testing.F) {
	for _, body := range []string{
		`{}`, `{"type":"press","seq":45,"t":11.19642,"board":"1","game":1,"side":"white","judged":"ok"}`,
		`{"type":"finding","window":{"lo":-0.5,"hi":1.5},"decided":null,"moves":[{"uci":"e2e4"}],"evidence":[1,2.5,{"a":"\n"}]}`,
		`{"type":"ruling","must_play":["Kh8","Kg7"],"strikes_after":{"white":0,"black":1},"position":null,"say":{"key":"x"}}`,
		`{"Type":"press"}`, `{"side":"wh\u0069te"}`, `{"seq":1e3}`, `{"seq":01}`, `{"t":1.}`, `{"t":null}`, `{"ply":1.5}`, `{"game":-0}`,
		`{"must_play":[null]}`, `{"must_play":null,"window":null}`, `{"x":{"y":[[],[{}]]}}`, `{"side":"é","what":"` + "\xff" + `"}`,
		`{"decided":tru}`, `{"side":"white",}`, `{"side":"white"}}`, `{,}`, `{"a":1{"b":2}`, ` {}`, `{"seq":99999999999999999999}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var b, want Brief
		if !readPlain(body, &b) {
			return
		}
		if err := json.Unmarshal(body, &want); err != nil || !reflect.DeepEqual(b, want) {
			t.Errorf("%q is %+v and not %+v, %v", body, b, want, err)
		}
	})
}

// Every field of Brief is read without encoding/json, as the machine writes it.
func TestReadBriefKnowsEveryField(t *testing.T) {
	var full Brief
	fill(reflect.ValueOf(&full).Elem())
	body, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	var b Brief
	if plain := readPlain(body, &b); !plain || !reflect.DeepEqual(b, full) {
		t.Errorf("%s is %+v, %v", body, b, plain)
	}
	for _, part := range strings.Split(strings.Trim(string(body), "{}"), ",") {
		if key, _, named := strings.Cut(part, ":"); named {
			nothing := "{" + key + ":null}"
			var b, want Brief
			wrong := json.Unmarshal([]byte(nothing), &want)
			if err := ReadBrief([]byte(nothing), &b); (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(b, want) {
				t.Errorf("%s is %+v, %v and not %+v, %v", nothing, b, err, want, wrong)
			}
		}
	}
}

// fill gives every field a value that is not empty.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.String:
		v.SetString("Größe")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1_500_007)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.String {
			v.Set(reflect.ValueOf([]string{"Kh8", ""}))
		} else {
			v.SetBytes([]byte(`{"a":[1,2.5,true,null,"\n"]}`))
		}
	}
}

// Objects that are not in the plain form are read as well.
func TestReadBriefOfWhatIsNotPlain(t *testing.T) {
	var b Brief
	err := ReadBrief([]byte(`{ "type": "health", "Detail": "a\tb", "t": 1.5 }`), &b)
	if err != nil || b.Type != "health" || b.Detail != "a\tb" || b.T != 1_500_000 {
		t.Errorf("%+v, %v", b, err)
	}
	if err := ReadBrief([]byte(`{"type":"move","ply":"x"}`), &b); err == nil {
		t.Errorf("%+v", b)
	}
}

func BenchmarkReadBrief(b *testing.B) {
	body := []byte(`{"type":"move","seq":45,"t":11.19642,"board":"simulated","game":1,"ply":1,"side":"white","uci":"e2e4","san":"e4","clock":{"white":183,"black":182},"committed_by":"press"}`)
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var o Brief
			if err := ReadBrief(body, &o); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var o Brief
			if err := json.Unmarshal(body, &o); err != nil {
				b.Fatal(err)
			}
		}
	})
}
